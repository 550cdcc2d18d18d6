import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeZip } from 'client-zip'
import { expect, it, vi } from 'vitest'
import { aFolder, inFolder, quire } from '../../test/cli.ts'
import { unpackExport } from './unpack.ts'

// Each test runs many commands.
vi.setConfig({ testTimeout: 60_000 })

const into = (data: string) => ['--repository', 'notes', '--data', data]

async function empty(): Promise<string> {
  const data = aFolder()
  await inFolder(data, (_, api) => api.repositories.create({ name: 'notes' }))
  return data
}

/** A data folder with two notes in nested folders, of which one was changed, and a picture. */
async function filled() {
  const data = await empty()
  const ids = await inFolder(data, async (_, api) => {
    const configId = 'notes'
    await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
    await api.types.create({ name: 'picture', settings: { isAsset: true } })
    const top = await api.folders.create({ configId, name: 'Top' })
    const below = await api.folders.create({ configId, name: 'Below', parentId: top.id })
    // Ids of folders are in the order of their creation, so this one comes before its parent.
    const late = await api.folders.create({ configId, name: 'Late' })
    await api.folders.move({ configId, id: top.id, parentId: late.id })
    const of = (name: string) => ({ repositoryId: 'notes', type: 'note', name })
    const first = await api.items.create({ ...of('First'), folderId: below.id, fields: { text: 'a\u2028b' } })
    await api.items.update({ configId, id: first.id, fields: { text: 'second\u2028line' } })
    const second = await api.items.create(of('Second'))
    await api.assets.create({ configId, type: 'picture', file: new File(['ink'], 'ink.txt') })
    return { first: first.id, second: second.id }
  })
  return { data, ...ids }
}

it('writes one file an item, which is imported again with its past', async () => {
  const { data, first } = await filled()
  const folder = join(aFolder(), 'notes')
  const out = await quire(['export', folder, '--dir', ...into(data)])
  expect([out.code, out.stderr]).toEqual([0, ''])
  expect(readdirSync(folder).toSorted()).toEqual(['blobs', 'content', 'manifest.json', 'types'])
  expect(readdirSync(join(folder, 'types')).toSorted()).toEqual(['note.json', 'picture.json'])
  const file = join(folder, 'content/item', `${first}.json`)
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ id: first, content: { name: 'First' }, history: { digests: {} } })
  expect(text).toMatch(/^\{\n {2}"archived": false,\n/)

  const other = await empty()
  expect((await quire(['import', folder, ...into(other)])).stdout).toContain('6 created')
  const [here, there] = [join(aFolder(), 'a.zip'), join(aFolder(), 'b.zip')]
  await quire(['export', here, '--no-files', ...into(data)])
  await quire(['export', there, '--no-files', ...into(other)])
  const again = await quire(['import', there, ...into(data)])
  expect(again.stdout).toContain('0 created, 0 updated, 0 deleted, 6 unchanged, 0 refused, 0 conflicts')

  writeFileSync(file, text.replace('second', 'edited'))
  const edited = await quire(['import', folder, ...into(data)])
  expect([edited.code, edited.stdout]).toEqual([0, expect.stringContaining('1 updated')])
  const item = await inFolder(data, (_, api) => api.items.get({ configId: 'notes', id: first }))
  expect(item).toMatchObject({ fields: { text: 'edited\u2028line' }, currentVersion: 3 })
})

it('has what is public in each locale, also of an earlier version', async () => {
  const locales = {
    default: 'en',
    list: [
      { code: 'en', name: 'English' },
      { code: 'de', name: 'Deutsch' },
    ],
  }
  const [data, other] = [await empty(), await empty()]
  const set = (folder: string) =>
    inFolder(folder, (_, api) => api.repositories.update({ id: 'notes', settings: { locales } }))
  await Promise.all([set(data), set(other)])
  const id = await inFolder(data, async (_, api) => {
    await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text', localized: true }] })
    const made = await api.items.create({
      repositoryId: 'notes',
      type: 'note',
      name: 'First',
      locale: '*',
      fields: { text: { en: 'one', de: 'eins' } },
    })
    const ref = { configId: 'notes', id: made.id }
    await api.items.publish({ ...ref, locales: ['en'] })
    await api.items.update({ ...ref, locale: '*', fields: { text: { en: 'two', de: 'zwei' } } })
    await api.items.publish({ ...ref, locales: ['de'] })
    await api.items.update({ ...ref, fields: { text: 'three' } })
    return made.id
  })
  const folder = join(aFolder(), 'notes')
  await quire(['export', folder, '--dir', ...into(data)])
  expect((await quire(['import', folder, ...into(other)])).stdout).toContain('1 created')
  const texts = (from: string) =>
    inFolder(from, async (_, api) => {
      const ref = { configId: 'notes', id }
      const shown = await Promise.all(['en', 'de'].map((locale) => api.published.item({ ...ref, locale })))
      return [...shown, await api.items.get(ref)].map(({ fields }) => fields)
    })
  expect(await texts(other)).toEqual([{ text: 'one' }, { text: 'zwei' }, { text: 'three' }])
  expect(await texts(other)).toEqual(await texts(data))
})

it('removes the files of what is gone, and leaves all others', async () => {
  const { data, second } = await filled()
  const folder = aFolder()
  writeFileSync(join(folder, 'README.md'), 'ours')
  await quire(['export', folder, '--dir', ...into(data)])
  const file = join(folder, 'content/item', `${second}.json`)
  expect(existsSync(file)).toBe(true)
  await inFolder(data, (_, api) => api.items.delete({ configId: 'notes', id: second }))
  await quire(['export', folder, '--dir', '--no-files', ...into(data)])
  expect(existsSync(file)).toBe(false)
  expect(readdirSync(join(folder, 'blobs'))).toEqual([])
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('ours')

  const foreign = aFolder()
  mkdirSync(join(foreign, 'content'))
  writeFileSync(join(foreign, 'content/index.md'), 'not ours')
  const refused = await quire(['export', foreign, '--dir', ...into(data)])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/holds content, but no export: choose another folder/),
  ])
  expect(readFileSync(join(foreign, 'content/index.md'), 'utf8')).toBe('not ours')
})

it.each([
  ['../x.txt', 'text'],
  ['blobs/../../x.txt', 'text'],
  [
    'content/item-0001.ndjson',
    `${JSON.stringify({ kind: '../..', id: 'x', content: {}, updatedDate: 1 })}\n`,
  ],
])('writes nothing outside of the folder, as a member %s would', async (name, input) => {
  const around = aFolder()
  const archive = join(aFolder(), 'archive.zip')
  writeFileSync(archive, await new Response(makeZip([{ name, input }])).bytes())
  await expect(unpackExport(archive, join(around, 'a/b'))).rejects.toThrow(/unsafe/i)
  expect(readdirSync(around, { recursive: true }).filter((path) => String(path).endsWith('.txt'))).toEqual([])
  expect(existsSync(join(around, 'x.json'))).toBe(false)
})

it('names the file that cannot be imported', async () => {
  const { data, first, second } = await filled()
  const folder = aFolder()
  await quire(['export', folder, '--dir', ...into(data)])
  const name = `content/item/${second}.json`
  const text = readFileSync(join(folder, name), 'utf8')
  writeFileSync(join(folder, name), text.replace('"name": "Second"', '"name": ""'))
  const refused = await quire(['import', folder, ...into(await empty())])
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining(`refused ${name}: name must have`),
  ])
  writeFileSync(join(folder, `content/item/${first}.json`), '{')
  const broken = await quire(['import', folder, ...into(data)])
  expect([broken.code, broken.stderr]).toEqual([
    1,
    expect.stringContaining(`content/item/${first}.json is not JSON`),
  ])
})

it('exports a package, a folder or the result of a query', async () => {
  const { data, second } = await filled()
  const folder = aFolder()
  const query = JSON.stringify({ filter: { name: { eq: 'Second' } } })
  await quire(['export', folder, '--dir', '--query', query, ...into(data)])
  expect(readdirSync(join(folder, 'content/item'))).toEqual([`${second}.json`])
  const wrong = await quire(['export', join(folder, 'x.zip'), '--query', 'name', ...into(data)])
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('It is not JSON')])
})
