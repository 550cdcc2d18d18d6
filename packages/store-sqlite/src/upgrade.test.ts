import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, mendDocuments, systemIdentity } from '@quire/core'
import { sqliteMigrations } from '@quire/store-sql'
import { aJob } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { openSqliteStore } from './open-store.ts'

/**
 * The last schema whose index kept no documents, the last without a queue, the last that read what versions need from their JSON, the last whose
 * deliveries had what they are about within their payload, and the last whose lists of jobs had indexes of what is queued.
 */
const BEFORE = 4
const BEFORE_JOBS = 6
const BEFORE_UPKEEP = 7
const BEFORE_BODIES = 8
const BEFORE_INDEXES = 9

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'quire-upgrade-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a database of the schema before documents were kept', () => {
  it('finds its items again once their documents are said, through packages too', async () => {
    const older = await anOlderFile()
    const store = await openSqliteStore({ file: older })
    const api = createQuire({ store }).as(systemIdentity('test'))
    const at = { configId: 'magazine' }
    const named = async (text: string, line: { packageName?: string } = {}) =>
      (await api.items.list({ ...at, ...line, text })).items.map(({ name }) => name)
    expect(await named('lantern')).toEqual([])
    expect(await store.indexes.undescribed(10)).toHaveLength(3)

    expect(await mendDocuments({ store })).toBe(3)
    expect(await named('lantern')).toEqual(['Three', 'One'])
    expect(await named('lantern', { packageName: 'draft' })).toEqual(['Three'])
    expect(await named('candle', { packageName: 'draft' })).toEqual(['One'])
    expect(await named('"three"')).toEqual(['Three'])

    expect(await store.indexes.undescribed(10)).toEqual([])
    expect(await mendDocuments({ store })).toBe(0)
    await store.close()
  })

  it('stops between two parts when it is told to, and goes on later', async () => {
    const store = await openSqliteStore({ file: await anOlderFile() })
    expect(await mendDocuments({ store }, () => true)).toBe(0)
    expect(await mendDocuments({ store })).toBe(3)
    await store.close()
  })

  it('asks for no document of what was deleted or written meanwhile', async () => {
    const store = await openSqliteStore({ file: await anOlderFile() })
    const api = createQuire({ store }).as(systemIdentity('test'))
    const { items } = await api.items.list({ configId: 'magazine', sort: 'name' })
    const [one, three] = items
    if (!one || !three) throw new Error('Two items are live.')
    await api.items.update({ configId: 'magazine', id: one.id, description: 'A match' })
    await api.items.delete({ configId: 'magazine', id: three.id })
    expect(await store.indexes.undescribed(10)).toHaveLength(1)
    await store.close()
  })
})

describe('a database of the schema before jobs were kept', () => {
  it('keeps what it holds and gets an empty queue', async () => {
    const older = await anOlderFile(BEFORE_JOBS)
    const store = await openSqliteStore({ file: older })
    const { items } = await createQuire({ store })
      .as(systemIdentity('test'))
      .items.list({ configId: 'magazine' })
    expect(items).toHaveLength(2)
    expect(await store.jobs.list({ limit: 9 })).toEqual([])
    const job = aJob('JOB_1')
    await store.transaction((tx) => tx.jobs.enqueue(job))
    await store.close()

    const again = await openSqliteStore({ file: older })
    expect(await again.jobs.get(job.id)).toMatchObject(job)
    await again.close()
  })
})

describe('a database of the schema before upkeep was kept', () => {
  it('knows what its versions need, and what was deleted', async () => {
    const now = join(folder, 'now.db')
    const before = await openSqliteStore({ file: now })
    const api = createQuire({ store: before }).as(systemIdentity('test'))
    const { id: repositoryId } = await api.repositories.create({ name: 'magazine' })
    await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
    const upload = (text: string) =>
      api.assets.create({ configId: 'magazine', file: new File([text], 'a.txt') })
    const [kept, deleted] = [await upload('kept'), await upload('deleted')]
    await api.assets.replace({ configId: 'magazine', assetId: kept.id, file: new File(['next'], 'a.txt') })
    await api.items.delete({ configId: 'magazine', id: deleted.id })
    const needed = await before.entities.neededBlobs({ limit: 9 })
    expect(needed).toHaveLength(3)
    await before.close()

    const store = await openSqliteStore({ file: olderCopyOf(now, BEFORE_UPKEEP) })
    expect(await store.entities.neededBlobs({ limit: 9 })).toEqual(needed)
    const page = { before: Number.MAX_SAFE_INTEGER, limit: 9 }
    expect(await store.entities.deletedBefore(page)).toMatchObject([{ id: deleted.id, repositoryId }])
    await store.transaction((tx) =>
      tx.entities.purge({ repositoryId, packageId: null }, { kind: 'item', id: kept.id }),
    )
    expect(await store.entities.neededBlobs({ limit: 9 })).toEqual([deleted.asset?.hash])
    await store.close()
  })
})

describe('a database of the schema before jobs had bodies', () => {
  it('has what deliveries are about as the bodies of their jobs, and other jobs as they were', async () => {
    const now = join(folder, 'now.db')
    const before = await openSqliteStore({ file: now })
    const text = '{"name":"a \\"lantern\\" é"}'
    const delivery = { event: 'ITEM_CREATED', entityId: 'CONT_1', redeliveryOf: 'JOB_0' }
    await before.transaction(async (tx) => {
      const payload = { ...delivery, data: { text } }
      await tx.jobs.enqueue(aJob('JOB_2', { kind: 'webhook.deliver', payload }))
      await tx.jobs.enqueue(aJob('JOB_1', { payload: { data: { text: 'kept' } } }))
    })
    await before.close()

    const store = await openSqliteStore({ file: olderCopyOf(now, BEFORE_BODIES) })
    expect(await store.jobs.get('JOB_2')).toMatchObject({ payload: delivery, body: text })
    expect(await store.jobs.get('JOB_1')).toMatchObject({ payload: { data: { text: 'kept' } }, body: null })
    await store.close()
  })
})

describe('a database of the schema before what is queued had one index', () => {
  it('lists, counts and begins its jobs as before', async () => {
    const now = join(folder, 'now.db')
    const before = await openSqliteStore({ file: now })
    const claim = { kind: 'test.do', now: 500, limit: 1, each: 1, except: [] }
    await before.transaction(async (tx) => {
      await tx.jobs.enqueue(aJob('JOB_1', { runAt: 1 }))
      const [job] = await tx.jobs.claim(claim)
      await tx.jobs.enqueue(aJob('JOB_2', { runAt: 2, subject: 'x' }))
      await tx.jobs.enqueue(aJob('JOB_3', { runAt: 3, subject: 'x' }))
      const end = { state: 'succeeded', at: 9, error: null, result: null } as const
      await tx.jobs.finish({ ...end, id: 'JOB_1', lease: job?.lease ?? 0 })
    })
    const counts = await before.jobs.counts()
    await before.close()

    const store = await openSqliteStore({ file: olderCopyOf(now, BEFORE_INDEXES) })
    const ids = (jobs: readonly { readonly id: string }[]) => jobs.map(({ id }) => id)
    expect(ids(await store.jobs.list({ kind: 'test.do', limit: 9 }))).toEqual(['JOB_3', 'JOB_2', 'JOB_1'])
    expect(ids(await store.jobs.list({ subject: 'x', limit: 9 }))).toEqual(['JOB_3', 'JOB_2'])
    expect(await store.jobs.counts()).toEqual(counts)
    expect(await store.jobs.nextDue(['test.do'])).toEqual(new Map([['test.do', 2]]))
    expect(ids(await store.transaction((tx) => tx.jobs.claim(claim)))).toEqual(['JOB_2'])
    await store.close()
  })
})

/** What the server of then would have kept: three items, of which one is deleted and one drafted in a package. */
async function anOlderFile(schema = BEFORE): Promise<string> {
  const now = join(folder, 'now.db')
  const store = await openSqliteStore({ file: now })
  const api = createQuire({ store }).as(systemIdentity('test'))
  const { id: repositoryId } = await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [{ name: 'text', kind: 'text' }] })
  const at = { configId: 'magazine' }
  const create = (name: string, text: string) =>
    api.items.create({ repositoryId, type: 'article', name, fields: { text } })
  const one = await create('One', 'A lantern')
  const two = await create('Two', 'Two lanterns')
  await create('Three', 'Three lanterns')
  await api.items.delete({ ...at, id: two.id })
  await api.packages.create({ repo: 'magazine', name: 'draft' })
  await api.items.update({ ...at, packageName: 'draft', id: one.id, fields: { text: 'A candle' } })
  await store.close()
  return olderCopyOf(now, schema)
}

function olderCopyOf(now: string, schema: number): string {
  const older = join(folder, 'older.db')
  const database = new Database(older)
  migrate(
    database,
    sqliteMigrations.filter(({ version }) => version <= schema),
  )
  database.exec(`ATTACH '${now}' AS now`)
  const plain = database
    .prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE 'sqlite%'",
    )
    .pluck()
    .all()
  for (const table of plain) {
    const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table).join()
    database.exec(`INSERT INTO ${String(table)} (${columns}) SELECT ${columns} FROM now.${String(table)}`)
  }
  if (schema === BEFORE) {
    database.exec(`
      INSERT INTO search (rowid, scope, words)
        SELECT head, 'l' || line || kind, lower(name) FROM heads WHERE deleted_date IS NULL AND kind = 'item'`)
  }
  database.close()
  return older
}
