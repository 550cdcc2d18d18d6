import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StoreUnavailable } from '@quire/core/ports'
import { anEntity, testRepository } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore, requireDisk, requireNode } from './open-store.ts'
import { StoreOpenError } from './store-open-error.ts'

const main = { repositoryId: testRepository, packageId: null }

let folder: string
let file: string
const stores: SqliteStore[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-open-'))
  file = join(folder, 'quire.db')
})
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close()
  rmSync(folder, { recursive: true })
})

async function open(path = file): Promise<SqliteStore> {
  const store = await openSqliteStore({ file: path })
  stores.push(store)
  return store
}

async function refusalOf(opening: Promise<unknown>): Promise<StoreOpenError> {
  const error: unknown = await opening.then(
    () => new Error('It opened.'),
    (reason: unknown) => reason,
  )
  if (error instanceof StoreOpenError) return error
  throw error
}

describe('Node', () => {
  it.each(['20.20.2', '22.18.0', '18.0.0'])('%s is refused in one sentence', (version) => {
    expect(() => requireNode(version)).toThrow(
      `@quire/store-sqlite needs Node 22.19 or newer, and this is ${version}: install a newer Node.`,
    )
  })

  it.each(['22.19.0', '24.21.0', '100.0.0'])('%s is accepted', (version) => {
    expect(() => requireNode(version)).not.toThrow()
  })
})

describe('a host', () => {
  it.each([
    ['VERCEL', 'Vercel'],
    ['NETLIFY', 'Netlify'],
    ['AWS_LAMBDA_FUNCTION_NAME', 'AWS Lambda'],
  ])('that sets %s keeps no files, and is refused by name', (variable, host) => {
    expect(() => requireDisk({ [variable]: '1' })).toThrow(
      `@quire/store-sqlite keeps its data in a file, and functions on ${host} keep none: use @quire/store-postgres there.`,
    )
    expect(() => requireDisk({ [variable]: undefined, HOME: '/' })).not.toThrow()
  })
})

it('a database in memory is refused, because it would be a file', async () => {
  await expect(openSqliteStore({ file: ':memory:' })).rejects.toThrow('use createMemoryStore')
  expect(existsSync(':memory:')).toBe(false)
})

describe('opening a store', () => {
  it('applies every setting that durability depends on', async () => {
    expect((await open()).info()).toMatchObject({
      file,
      schemaVersion: 17,
      settings: {
        busy_timeout: '5000',
        journal_mode: 'wal',
        synchronous: '2',
        foreign_keys: '1',
        wal_autocheckpoint: '1000',
        journal_size_limit: '67108864',
        mmap_size: '0',
        trusted_schema: '0',
        cell_size_check: '1',
      },
    })
  })

  it('has everything that was acknowledged before', async () => {
    const store = await open()
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1' }), 0))
    await store.close()
    expect((await (await open()).entities.get(main, 'item', 'CONT_1'))?.id).toBe('CONT_1')
  })

  it('refuses a missing folder', async () => {
    const error = await refusalOf(openSqliteStore({ file: join(folder, 'missing', 'quire.db') }))
    expect(error.reason).toBe('folder')
    expect(error.message).toBe(
      `The folder ${join(folder, 'missing')} does not exist: create it, or choose another file.`,
    )
  })

  it('refuses a folder that is not writable', async () => {
    const error = await refusalOf(openSqliteStore({ file: '/proc/self/quire.db' }))
    expect(error.reason).toBe('folder')
    expect(error.message).toContain('is not writable: give the server write access, or choose another file.')
  })

  it('refuses a file that is not a database, and does not change it', async () => {
    writeFileSync(file, 'These are my notes. '.repeat(500))
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({
      reason: 'notDatabase',
      message: `${file} is not a SQLite database, or it is damaged: choose another file, or restore a backup.`,
    })
  })

  it('refuses the database of another program', async () => {
    const other = new Database(file)
    other.exec('CREATE TABLE notes (text)')
    other.close()
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({ reason: 'notOurs' })
  })

  it('refuses the schema of an unreleased version, and does not change the file', async () => {
    await (await open()).close()
    const older = new Database(file)
    older.pragma('user_version = 13')
    older.close()
    const bytes = readFileSync(file)
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({
      reason: 'unreleased',
      message: `${file} was made by an unreleased version of Quire (schema 13; this one needs 17): move its folder away and start with an empty one.`,
    })
    expect(readFileSync(file).equals(bytes)).toBe(true)
  })

  it('refuses the schema of a newer server, and closes the file', async () => {
    await (await open()).close()
    const newer = new Database(file)
    newer.pragma('user_version = 99')
    newer.close()
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({ reason: 'newer' })
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({ reason: 'newer' })
  })
})

describe('the lock of a database', () => {
  it('excludes a second store, even by another path, until the first is closed', async () => {
    const store = await open()
    symlinkSync(folder, join(folder, 'link'))
    mkdirSync(join(folder, 'below'))
    for (const path of [file, join(folder, 'link', 'quire.db'), join(folder, 'below', '..', 'quire.db')]) {
      expect(await refusalOf(openSqliteStore({ file: path }))).toMatchObject({
        reason: 'inUse',
        message: `Another server uses ${file}: stop it first, or choose another file.`,
      })
    }
    await store.close()
    await open()
  })

  it('excludes another process within 2 s, and is released when its holder is killed', async () => {
    const holder = await hold()
    const started = performance.now()
    expect(await refusalOf(openSqliteStore({ file }))).toMatchObject({ reason: 'inUse' })
    expect(performance.now() - started).toBeLessThan(2_000)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    const store = await open()
    expect(await store.ephemera.get('held', 1)).toBe('by another')
  })
})

/** Another process that opens the store, writes and stays. */
async function hold(): Promise<ChildProcess> {
  const script = `
    import { requireNode, openSqliteStore } from ${JSON.stringify(new URL('open-store.ts', import.meta.url).href)}
    const store = await openSqliteStore({ file: ${JSON.stringify(file)} })
    await store.transaction((tx) => tx.ephemera.put('held', 'by another', 100))
    process.stdout.write('held')
    setInterval(() => {}, 1000)`
  const child = spawn(
    process.execPath,
    ['--conditions=quire-source', '--input-type=module', '--eval', script],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  return child
}

describe('a full database', () => {
  const large = (index: number) =>
    anEntity({ id: `CONT_${index}`, body: { text: 'x'.repeat(50_000) }, json: '{}' })

  it('refuses writes as full, keeps its data, serves reads, and accepts what still fits', async () => {
    const store = await openSqliteStore({ file, maxBytes: 2_000_000 })
    stores.push(store)
    const outcomes: string[] = []
    for (let index = 0; index < 30; index += 1) {
      const put = store.transaction((tx) => tx.entities.put(large(index), 0))
      outcomes.push(
        await put.then(
          () => 'kept',
          (error: unknown) => kindOf(error),
        ),
      )
    }
    const stored = outcomes.filter((outcome) => outcome === 'kept').length
    expect(outcomes).toEqual([
      ...Array<string>(stored).fill('kept'),
      ...Array<string>(30 - stored).fill('full'),
    ])
    expect(stored).toBeGreaterThan(3)
    const query = {
      kind: 'item',
      reader: { types: 'all', roles: 'all' },
      archived: true,
      sort: [],
      limit: 99,
      count: true,
    } as const
    expect((await store.entities.list(main, query)).count).toBe(stored)
    expect(await store.ping()).toBeUndefined()
    // The search index records deletions, so deleting two frees the space of one.
    for (const id of ['CONT_0', 'CONT_1'])
      await store.transaction((tx) => tx.entities.purge(main, { kind: 'item', id }))
    await store.transaction((tx) => tx.entities.put(large(99), 0))
    expect(await store.entities.get(main, 'item', 'CONT_99')).not.toBeNull()
  })

  it('refuses all writes that share a commit when the commit does not fit, and applies none of them', async () => {
    const store = await openSqliteStore({ file, maxBytes: 2_000_000 })
    stores.push(store)
    const puts = Array.from({ length: 30 }, (_, index) =>
      store.transaction((tx) => tx.entities.put(large(index), 0)).then(() => index, kindOf),
    )
    const stored = (await Promise.all(puts)).filter((outcome) => typeof outcome === 'number')
    const ids = stored.map((index) => `CONT_${index}`)
    const found = await store.entities.getMany(
      main,
      'item',
      Array.from({ length: 30 }, (_, index) => `CONT_${index}`),
    )
    expect(found.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  })
})

function kindOf(error: unknown): string {
  return error instanceof StoreUnavailable ? error.kind : String(error)
}
