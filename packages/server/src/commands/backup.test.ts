import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { createClient } from '@quire/client'
import type { Api } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { someBytes } from '../../test/asset-serving.ts'
import { aFolder, inFolder, killedAt, quire, serveFolder } from '../../test/cli.ts'

const configId = 'files'

async function prepare(api: Api): Promise<void> {
  await api.repositories.create({ name: configId })
  await api.types.create({ name: 'file', fields: [], settings: { isAsset: true } })
  await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
}

const aFile = (seed: number, size = 2000) => new File([new Uint8Array(someBytes(size, seed))], `${seed}.bin`)

/** A data folder with this many notes and as many files. */
async function filled(count: number): Promise<string> {
  const data = aFolder()
  await inFolder(data, async (_, api) => {
    await prepare(api)
    for (let seed = 1; seed <= count; seed++) {
      await api.assets.create({ configId, file: aFile(seed) })
      await api.items.create({ repositoryId: configId, type: 'note', name: `Note ${seed}` })
    }
  })
  return data
}

const countIn = (data: string, type: string) =>
  inFolder(data, async (_, api) => (await api.items.list({ configId, type, limit: 1 })).count)

/** A new path for a restored data folder, with the key of another one. */
async function restored(backup: string, original: string): Promise<string> {
  const data = join(aFolder(), 'restored')
  const { code, stdout, stderr } = await quire(['restore', backup, '--data', data])
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('Put the server key into')
  cpSync(join(original, 'server.key'), join(data, 'server.key'))
  return data
}

describe('a backup', () => {
  it('taken under load has everything that was acknowledged before it began, and is sound', async () => {
    const data = await filled(5)
    const { url, child } = await serveFolder(data)
    const auth = JSON.parse(readFileSync(join(data, 'admin.json'), 'utf8'))
    const client = createClient({ baseUrl: url, auth })
    const acknowledged: { id: string; text: string }[] = []
    const isOver = { now: false }
    const writer = async (name: number) => {
      for (let n = 0; !isOver.now; n++) {
        const text = `${name} ${n}`
        const input = { repositoryId: configId, type: 'note', name: text, fields: { text } }
        const made = await client.items.create(input).catch(() => null)
        if (made) acknowledged.push({ id: made.id, text })
        if (n % 20 === 0)
          await client.assets.create({ configId, file: aFile(name * 1e6 + n) }).catch(() => null)
      }
    }
    const writing = Promise.all([1, 2, 3, 4].map(writer))
    await wait(1500)
    const before = [...acknowledged]
    const backup = join(aFolder(), 'backup')
    const { code, stderr } = await quire(['backup', backup, '--data', data])
    expect([code, stderr]).toEqual([0, ''])
    child.kill('SIGKILL')
    isOver.now = true
    await writing
    expect(before.length).toBeGreaterThan(50)
    expect(acknowledged.length).toBeGreaterThan(before.length)
    const elsewhere = await restored(backup, data)
    await inFolder(elsewhere, async (_, api) => {
      for (const { id, text } of before)
        expect((await api.items.get({ configId, id })).fields).toEqual({ text })
    })
    const doctor = await quire(['doctor', '--data', elsewhere])
    expect([doctor.code, doctor.stdout]).toEqual([0, expect.not.stringContaining('fault')])
  }, 60_000)

  it('never contains the key or a credential, and copies only what is new', async () => {
    const data = await filled(3)
    const backup = join(aFolder(), 'backup')
    const first = await quire(['backup', backup, '--data', data])
    expect(first.stdout).toMatch(/with 3 files to .*\nNot in it: .*server\.key/)
    const names = readdirSync(backup, { recursive: true }).map(String)
    expect(names.filter((name) => /key|admin/.test(name))).toEqual([])
    const stored = blobsIn(backup)
    await inFolder(data, async (_, api) => {
      await api.assets.create({ configId, file: aFile(9) })
      const { items } = await api.items.list({ configId, type: 'note', limit: 1 })
      await api.items.delete({ configId, id: items[0]?.id ?? '' })
    })
    await quire(['backup', backup, '--data', data])
    expect(blobsIn(backup)).toEqual(expect.arrayContaining(stored))
    expect(blobsIn(backup)).toHaveLength(4)
    expect(readdirSync(backup).filter((name) => name.startsWith('quire-'))).toHaveLength(1)
    expect(await countIn(await restored(backup, data), 'note')).toBe(2)
  })

  it('that is killed leaves the earlier one whole, and can be made again', async () => {
    const data = await filled(30)
    const backup = join(aFolder(), 'backup')
    expect((await killedAt('copying files', ['backup', backup, '--data', data])).code).toBeNull()
    expect((await quire(['restore', backup, '--data', join(aFolder(), 'x')])).stderr).toContain(
      'no whole backup',
    )
    await quire(['backup', backup, '--data', data])
    await inFolder(data, async (_, api) => {
      await api.items.create({ repositoryId: configId, type: 'note', name: 'Later' })
    })
    await killedAt('copying the database', ['backup', backup, '--data', data])
    expect(await countIn(await restored(backup, data), 'note')).toBe(30)
    await quire(['backup', backup, '--data', data])
    expect(await countIn(await restored(backup, data), 'note')).toBe(31)
  }, 30_000)

  it('has all but what is damaged or missing in the folder, and says so', async () => {
    const data = await filled(3)
    const [first = '', second = ''] = blobsIn(data)
    writeFileSync(first, 'x')
    rmSync(second)
    const backup = join(aFolder(), 'backup')
    const { code, stderr } = await quire(['backup', backup, '--data', data])
    expect([code, stderr]).toEqual([1, expect.stringContaining('2 files are missing or damaged')])
    const { stdout } = await quire(['restore', backup, '--data', join(aFolder(), 'x')])
    expect(stdout).toContain('fault missing files 2 needed by versions do not exist')
  })
})

it('what is no backup, no data folder or not empty is refused in one line', async () => {
  const data = await filled(1)
  const folder = aFolder()
  const backup = join(folder, 'backup')
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'letter.txt'), '')
  await quire(['backup', backup, '--data', data])
  const into = () => ['--data', join(aFolder(), 'new')]
  const refused = async (args: readonly string[], message: RegExp) =>
    expect(await quire(args)).toMatchObject({ code: 1, stderr: expect.stringMatching(message) })
  await refused(['backup', backup, '--data', other], /^quire: There is no database in /)
  await refused(['backup', other, '--data', data], /^quire: .* holds letter\.txt, and is no backup: /)
  await refused(['restore', other, ...into()], /^quire: There is no whole backup in /)
  await refused(['restore', join(folder, 'none'), ...into()], /^quire: There is no whole backup in /)
  await refused(['restore', backup, '--data', data], /^quire: .* is not empty: /)
  const manifest = join(backup, 'backup.json')
  const whole = readFileSync(manifest, 'utf8')
  writeFileSync(manifest, whole.replace('"format": 1', '"format": 2'))
  await refused(['restore', backup, ...into()], /which is newer/)
  writeFileSync(manifest, whole.slice(0, 20))
  await refused(['restore', backup, ...into()], /backup\.json is damaged/)
  writeFileSync(manifest, whole)
  const [blob = ''] = blobsIn(backup)
  const bytes = readFileSync(blob)
  writeFileSync(blob, 'x')
  const target = join(aFolder(), 'new')
  await refused(
    ['restore', backup, '--data', target],
    /^quire: 1 files of the backup are missing or damaged: /,
  )
  expect(existsSync(join(target, 'quire.db'))).toBe(false)
  writeFileSync(blob, bytes)
  expect((await quire(['restore', backup, '--data', target])).code).toBe(0)
  const database = join(backup, readdirSync(backup).find((name) => name.endsWith('.db')) ?? '')
  writeFileSync(database, 'x')
  await refused(['restore', backup, ...into()], /quire-\w+\.db is damaged/)
})

/** The files in a data folder or a backup. */
function blobsIn(folder: string): string[] {
  const files = readdirSync(join(folder, 'blobs', 'blobs'), { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name))
    .toSorted()
}
