import { setTimeout as sleep } from 'node:timers/promises'
import { type Store, StoreConflict, type Transaction } from '@quire/core/ports'
import { aGroup, anEntity, nextVersion, inPackageOf } from '@quire/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type PostgresStore, openPostgresStore } from '../src/open-store.ts'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'

const RACERS = 20

const main = { repositoryId: anEntity().repositoryId, packageId: null }

const putGroupIn = (tx: Transaction, id: string) => tx.records.put('group', aGroup(id), 0)

const putGroup = (
  store: Store,
  { id, name = id, revision = 0 }: { id: string; name?: string; revision?: number },
) => store.transaction((tx) => tx.records.put('group', aGroup(id, { name }), revision))

/**
 * Waits until a condition holds, by default for a second: the time within which every process must
 * see a change.
 */
async function within<T>(read: () => Promise<T> | T, holds: (value: T) => boolean, ms = 1_000): Promise<T> {
  const started = performance.now()
  for (;;) {
    const value = await read()
    if (holds(value) || performance.now() - started > ms) return value
    await sleep(10)
  }
}

/** Whether a store notices changes of records within that time. */
const changedFrom = (store: Store, before: number) =>
  within(() => store.records.generation() !== before, Boolean)

describe.skipIf(testDatabase === null)(`several stores on one schema of PostgreSQL ${location}`, () => {
  let schema: string
  let one: PostgresStore
  let other: PostgresStore
  const open = () => openPostgresStore({ url: databaseUrl(), schema, maxConnections: 6 })
  beforeEach(async () => {
    schema = testSchema()
    const [first, second] = await Promise.all([open(), open()])
    one = first
    other = second
  })
  afterEach(async () => {
    await Promise.all([one.close(), other.close()])
    await dropSchema(schema)
  })

  /** Ends the connections of this schema whose last statement matches a pattern. */
  const cut = (statement: string) =>
    asAdministrator((client) =>
      client.query(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND query LIKE $2',
        [`quire ${schema}`, statement],
      ),
    )

  const cutUntil = async (signal: AbortSignal) => {
    while (!signal.aborted) {
      await sleep(40)
      await cut('%')
    }
  }

  it("see each other's commits, in every port", async () => {
    expect(await other.records.list('group')).toEqual([])
    const before = other.records.generation()
    await one.transaction(async (tx) => {
      await tx.records.put('group', aGroup('GRUP_1'), 0)
      await tx.entities.put(anEntity({ id: 'CONT_1', deletedDate: 5 }), 0)
      await tx.entities.put(anEntity({ id: 'CONT_2' }), 0)
    })
    expect(await within(() => other.records.get('group', 'GRUP_1'), Boolean)).not.toBeNull()
    expect(await changedFrom(other, before)).toBe(true)
    expect(await within(() => other.entities.get(main, 'item', 'CONT_2'), Boolean)).not.toBeNull()
    expect(await other.entities.deletedBefore({ before: 9, limit: 9 })).toMatchObject([{ id: 'CONT_1' }])
  })

  it('keep their generation while others do not change records', async () => {
    const first = other.records.generation()
    await putGroup(one, { id: 'GRUP_1' })
    expect(await changedFrom(other, first)).toBe(true)
    const before = other.records.generation()
    await one.transaction((tx) => tx.entities.put(anEntity(), 0))
    await sleep(200)
    expect(other.records.generation()).toBe(before)
  })

  it('begin each transaction with all earlier commits of all processes', async () => {
    for (let revision = 0; revision < RACERS; revision += 2) {
      await putGroup(one, { id: 'GRUP_1', name: `Name ${revision}`, revision })
      const renamed = await putGroup(other, {
        id: 'GRUP_1',
        name: `Name ${revision + 1}`,
        revision: revision + 1,
      })
      expect(renamed.revision).toBe(revision + 2)
      const seen = await one.transaction((tx) => tx.records.find('group', `name:Name ${revision + 1}`))
      expect(seen?.revision).toBe(revision + 2)
    }
  })

  it('know branches that another one created, even in the very next transaction', async () => {
    const article = anEntity()
    await one.transaction((tx) => tx.entities.put(article, 0))
    await other.transaction((tx) => tx.entities.put(nextVersion(article), 1))
    await one.transaction((tx) => tx.entities.put(inPackageOf('PACK_1', nextVersion(article)), 0))
    await other.transaction(async (tx) => {
      const found = await tx.entities.get({ ...main, packageId: 'PACK_1' }, 'item', article.id)
      expect(found?.packageId).toBe('PACK_1')
    })
  })

  it("read another one's first write to a branch at once", async () => {
    for (let index = 0; index < RACERS; index++) {
      const first = anEntity({ id: 'CONT_1', repositoryId: `REPO_${index}` })
      await one.transaction((tx) => tx.entities.put(first, 0))
      const branch = { repositoryId: first.repositoryId, packageId: null }
      expect(await other.entities.get(branch, 'item', first.id)).not.toBeNull()
      const packageId = `PACK_${index}`
      await one.transaction((tx) => tx.entities.put(inPackageOf(packageId, nextVersion(first)), 0))
      expect((await other.entities.get({ ...branch, packageId }, 'item', first.id))?.packageId).toBe(
        packageId,
      )
    }
  })

  it('write while one of them stands still in a transaction', async () => {
    await other.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_0' }), 0))
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    const standing = one.transaction(async (tx) => {
      await tx.entities.put(anEntity({ id: 'CONT_1', slug: 'standing' }), 0)
      await putGroupIn(tx, 'GRUP_1')
      await goOn
    })
    const started = performance.now()
    for (let index = 0; index < RACERS; index++) {
      await other.transaction((tx) => tx.entities.put(anEntity({ id: `CONT_1${index}` }), 0))
      await putGroup(other, { id: `GRUP_1${index}` })
    }
    expect(performance.now() - started).toBeLessThan(2_000)
    resolve()
    await standing
    expect(
      await within(
        () => other.records.list('group'),
        (groups) => groups.length > RACERS,
      ),
    ).toHaveLength(RACERS + 1)
  })

  it('write beside a long transaction of the same process', async () => {
    await one.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_0' }), 0))
    const { promise: goOn, resolve } = Promise.withResolvers<void>()
    const long = one.transaction(async (tx) => {
      await tx.entities.put(anEntity({ id: 'CONT_1' }), 0)
      await goOn
    })
    await one.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2' }), 0))
    expect(await one.entities.get(main, 'item', 'CONT_1')).toBeNull()
    resolve()
    await long
    expect(await one.entities.getMany(main, 'item', ['CONT_1', 'CONT_2'])).toHaveLength(2)
  })

  it('let exactly one win a race, and lose nothing', async () => {
    const stores = Array.from({ length: RACERS }, (_, index) => (index % 2 === 0 ? one : other))
    const names = await Promise.allSettled(
      stores.map((store, index) => putGroup(store, { id: `GRUP_${index}`, name: 'Editors' })),
    )
    const refused = names.filter((ended) => ended.status === 'rejected').map(({ reason }) => reason)
    expect(refused).toHaveLength(RACERS - 1)
    for (const reason of refused) expect(reason).toEqual(new StoreConflict('key', 'name:Editors'))
    const counts = await Promise.all(
      stores.map((store) => store.transaction((tx) => tx.ephemera.increment('count', 1, 100))),
    )
    expect(counts.toSorted((a, b) => a - b)).toEqual(stores.map((_, index) => index + 1))
  })

  it('see changes when the listening connection is lost, and listen again', async () => {
    await putGroup(one, { id: 'GRUP_1' })
    await within(() => other.records.get('group', 'GRUP_1'), Boolean)
    await cut('SELECT number FROM commits')
    await cut('LISTEN%')
    await putGroup(one, { id: 'GRUP_2' })
    expect(await within(() => other.records.get('group', 'GRUP_2'), Boolean)).not.toBeNull()
    const isSteady = () => other.records.generation() === other.records.generation()
    expect(await within(isSteady, Boolean, 5_000)).toBe(true)
    const before = other.records.generation()
    await putGroup(one, { id: 'GRUP_3' })
    expect(await changedFrom(other, before)).toBe(true)
  })

  it('lose no acknowledged write when connections are cut while they write', async () => {
    const stop = new AbortController()
    const cutting = cutUntil(stop.signal)
    const ids = Array.from({ length: 150 }, (_, index) => `GRUP_${index}`)
    const ended: PromiseSettledResult<unknown>[] = []
    for (const [index, id] of ids.entries())
      ended.push(...(await Promise.allSettled([putGroup(index % 2 === 0 ? one : other, { id })])))
    stop.abort()
    await cutting
    const refused = ended.filter((write) => write.status === 'rejected').map(({ reason }) => reason)
    expect(refused.length).toBeGreaterThan(0)
    for (const reason of refused) expect(reason).toMatchObject({ name: 'StoreUnavailable', kind: 'busy' })
    const acknowledged = ids.filter((_, index) => ended[index]?.status === 'fulfilled')
    expect(acknowledged.length).toBeGreaterThan(10)
    for (const store of [one, other]) {
      const missing = async () => {
        const seen = new Set((await store.records.list('group').catch(() => [])).map(({ id }) => id))
        return acknowledged.filter((id) => !seen.has(id))
      }
      expect(await within(missing, (left) => left.length === 0, 10_000)).toEqual([])
    }
  })

  it('stop writing once a newer release has changed the tables', async () => {
    await asAdministrator((client) => client.query(`UPDATE ${schema}.schema_version SET version = 1000`))
    await expect(putGroup(one, { id: 'GRUP_1' })).rejects.toMatchObject({
      name: 'StoreUnavailable',
      kind: 'closed',
      message: expect.stringContaining('version 1000'),
    })
    expect(await other.records.list('group')).toEqual([])
  })

  it('report busy when another one holds the write lock for too long', async () => {
    await asAdministrator(async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`quire writes ${schema}`])
      const started = performance.now()
      await expect(putGroup(one, { id: 'GRUP_1' })).rejects.toMatchObject({
        name: 'StoreUnavailable',
        kind: 'busy',
      })
      expect(performance.now() - started).toBeLessThan(6_000)
      expect(await one.records.list('group')).toEqual([])
      await client.query('ROLLBACK')
    })
    expect((await putGroup(one, { id: 'GRUP_1' })).revision).toBe(1)
  })

  it('send messages to each other, even after a reconnect, but not to themselves', async () => {
    const received: string[] = []
    const deaf = one.peers.subscribe('topic', (text) => received.push(`one ${text}`))
    other.peers.subscribe('topic', (text) => received.push(`other ${text}`))
    other.peers.subscribe('another', (text) => received.push(`wrong ${text}`))
    const reportedUntil = async (from: PostgresStore, text: string, given: string) => {
      const notify = () => {
        from.peers.notify('topic', text)
        return received.includes(given)
      }
      expect(await within(notify, Boolean, 5_000)).toBe(true)
    }
    await reportedUntil(one, 'a', 'other a')
    await cut('SELECT number FROM commits')
    await cut('LISTEN%')
    await cut('SELECT pg_notify%')
    await reportedUntil(one, 'b', 'other b')
    await reportedUntil(other, 'c', 'one c')
    deaf()
    one.peers.notify('topic', 'x'.repeat(7_001))
    await reportedUntil(one, 'd', 'other d')
    expect(new Set(received)).toEqual(new Set(['other a', 'other b', 'one c', 'other d']))
  })

  it('close all their connections', async () => {
    await Promise.all([one.close(), other.close()])
    const open = () =>
      asAdministrator((client) =>
        client.query('SELECT query FROM pg_stat_activity WHERE application_name = $1', [`quire ${schema}`]),
      )
    const left = await within(open, ({ rows }) => rows.length === 0)
    expect(left.rows).toEqual([])
  })
})
