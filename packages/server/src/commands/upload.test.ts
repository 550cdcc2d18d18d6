import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@quire/client'
import { beforeEach, describe, expect, it } from 'vitest'
import { aFolder, inFolder, quire, serveFolder } from '../../test/cli.ts'
import { openUploadMemory } from './upload-memory.ts'

let data = ''
let picture = ''
let words = ''
beforeEach(async () => {
  data = aFolder()
  await inFolder(data, async (_, api) => {
    await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'file', settings: { isAsset: true } })
  })
  const files = join(data, 'mine')
  mkdirSync(files)
  picture = join(files, 'Oak galls.txt')
  words = join(files, 'words.txt')
  writeFileSync(picture, 'x'.repeat(3_000_000))
  writeFileSync(words, 'some words')
})

const into = ['--repository', 'magazine']

describe('quire upload', () => {
  it('makes assets in a data folder, one line for each', async () => {
    const { code, stdout } = await quire(['upload', picture, words, ...into, '--data', data])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /uploaded .*Oak galls\.txt CONT_\w+\nuploaded .*words\.txt CONT_\w+\n2 uploaded, 0 failed\.\n/,
    )
    await inFolder(data, async (_, api) => {
      const { items } = await api.items.list({ configId: 'magazine', sort: 'name' })
      expect(items.map(({ originalFileName, asset }) => [originalFileName, asset?.size])).toEqual([
        ['Oak galls.txt', 3_000_000],
        ['words.txt', 10],
      ])
    })
  })

  it('sends nothing when a file is not there, and names what was refused', async () => {
    const absent = await quire(['upload', words, 'nowhere.txt', ...into, '--data', data])
    expect([absent.code, absent.stderr]).toEqual([
      1,
      expect.stringContaining('There is no file nowhere.txt.'),
    ])
    const refused = await quire(['upload', words, '--repository', 'other', '--data', data])
    expect([refused.code, refused.stdout]).toEqual([
      1,
      expect.stringMatching(/failed .*words\.txt: There is no repository/),
    ])
    await inFolder(data, async (_, api) => {
      expect((await api.items.list({ configId: 'magazine' })).count).toBe(0)
    })
  })

  it('goes on where it was cut', async () => {
    const served = await serveFolder(data)
    const auth = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
    const client = createClient({ baseUrl: served.url, auth })
    const cache = join(data, 'cache')
    const begun = await client.uploads.create({
      length: 3_000_000,
      metadata: { repositoryId: 'magazine', filename: 'Oak galls.txt' },
    })
    await client.uploads.append({ uploadId: begun.id, offset: 0, file: new Blob(['x'.repeat(1_000_000)]) })
    const { mtimeMs } = (await import('node:fs')).statSync(picture)
    const memory = await openUploadMemory(join(cache, 'quire', 'uploads.json'))
    memory.setItem(
      ['quire-upload', 'magazine', '', '', 'Oak galls.txt', 3_000_000, Math.floor(mtimeMs)].join(':'),
      begun.id,
    )
    const flags = ['--url', served.url, '--client-id', auth.clientId, '--client-secret', auth.clientSecret]
    const { code, stdout } = await quire(['upload', picture, ...into, ...flags], { XDG_CACHE_HOME: cache })
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 uploaded, 0 failed.')])
    const { itemId } = await client.uploads.get({ uploadId: begun.id })
    expect(stdout).toContain(String(itemId))
    expect(JSON.parse(readFileSync(join(cache, 'quire', 'uploads.json'), 'utf8'))).toEqual({})
  })
})
