import { setTimeout as sleep } from 'node:timers/promises'
import type { JobWriter } from '@quire/core/ports'
import { aGroup, aJob } from '@quire/testkit'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type PostgresStore, openPostgresStore } from '../src/open-store.ts'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'

/** The time within which a follower must be woken, in ms. */
const RECEIVED_MS = 1_000

describe.skipIf(testDatabase === null)(`announcing jobs through pg-boss ${location}`, () => {
  let schema: string
  let stores: readonly PostgresStore[]
  const open = () => openPostgresStore({ url: databaseUrl(), schema, maxConnections: 6 })
  beforeEach(async () => {
    schema = testSchema()
    stores = await Promise.all([open(), open()])
  })
  afterEach(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await dropSchema(schema)
  })

  /** Follows on each store, and waits until all of them fetch by themselves. */
  const follow = async () => {
    const wakes = stores.map((store) => {
      const wake = vi.fn<() => void>()
      return { wake, leave: store.dispatch.follow(wake) }
    })
    await sleep(RECEIVED_MS)
    return wakes
  }
  const first = () => {
    const [store] = stores
    if (!store) throw new TypeError('No store is open.')
    return store
  }
  const queue = (work: (jobs: JobWriter) => Promise<unknown>) =>
    first().transaction(async (tx) => void (await work(tx.jobs)))
  const calls = (wakes: Awaited<ReturnType<typeof follow>>) => wakes.map(({ wake }) => wake.mock.calls.length)
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

  it('wakes one follower for a job, which is visible by then', async () => {
    const wakes = await follow()
    const found = vi.fn<(kinds: ReadonlyMap<string, number>) => void>()
    for (const { wake } of wakes)
      wake.mockImplementation(() => void first().jobs.nextDue(['test']).then(found))
    await queue((jobs) => jobs.enqueue(aJob('JOB_1', { kind: 'test' })))
    await vi.waitFor(() => expect(found).toHaveBeenCalled(), RECEIVED_MS)
    await sleep(RECEIVED_MS)
    expect(sum(calls(wakes))).toBe(1)
    expect(found.mock.lastCall?.[0].has('test')).toBe(true)
  })

  it('wakes all followers for many jobs', async () => {
    const wakes = await follow()
    await queue(async (jobs) => {
      for (let n = 0; n < 500; n += 1) await jobs.enqueue(aJob(`JOB_${n}`))
    })
    await vi.waitFor(() => expect(Math.min(...calls(wakes))).toBeGreaterThan(0), RECEIVED_MS)
  })

  it('announces a job that is retried manually', async () => {
    await queue(async (jobs) => {
      await jobs.enqueue(aJob('JOB_1', { runAt: 1_000 }))
      await jobs.cancel('JOB_1', 1)
    })
    const wakes = await follow()
    await queue((jobs) => jobs.retry('JOB_1', 1))
    await vi.waitFor(() => expect(sum(calls(wakes))).toBeGreaterThan(0), RECEIVED_MS)
  })

  it('wakes nobody for a job that was rolled back, joined another or is not due', async () => {
    const wakes = await follow()
    const later = aJob('JOB_1', { key: 'one', createdAt: 1, runAt: 100_000 })
    await queue((jobs) => jobs.enqueue(later))
    await queue((jobs) => jobs.enqueue({ ...later, id: 'JOB_2', runAt: 1 }))
    const undone = queue(async (jobs) => {
      await jobs.enqueue(aJob('JOB_3'))
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    await first().transaction(async (tx) => {
      const within = tx.nested(async ({ jobs }) => {
        await jobs.enqueue(aJob('JOB_4'))
        throw new Error('undone within')
      })
      await expect(within).rejects.toThrow('undone within')
    })
    await sleep(RECEIVED_MS)
    expect(calls(wakes)).toEqual([0, 0])
  })

  it('does not wake a follower that left', async () => {
    const [left, stays] = await follow()
    left?.leave()
    await sleep(100)
    for (let n = 0; n < 5; n += 1) await queue((jobs) => jobs.enqueue(aJob(`JOB_${n}`)))
    await vi.waitFor(() => expect(stays?.wake).toHaveBeenCalled(), RECEIVED_MS)
    await sleep(100)
    expect(left?.wake).not.toHaveBeenCalled()
  })

  it('uses the version of the pg-boss tables that belongs to our schema', async () => {
    const { rows } = await asAdministrator((client) =>
      client.query<{ version: number }>(`SELECT version FROM ${schema}.version`),
    )
    // When this changes, add a step to the migrations, so that older processes stop writing to
    // tables that they do not know (decision 0030).
    expect(rows).toEqual([{ version: 46 }])
  })

  it('rolls a transaction back when its jobs cannot be announced, and announces those of the next', async () => {
    const wakes = await follow()
    const inSchema = (text: string) => asAdministrator((client) => client.query(text))
    await inSchema(`DELETE FROM ${schema}.queue`)
    const changed = (store: PostgresStore, revision: number) =>
      store.transaction(async (tx) => {
        await tx.records.put('group', aGroup('GRUP_1'), revision)
        await tx.jobs.enqueue(aJob(`JOB_${Math.random()}`))
      })
    await expect(changed(first(), 0)).rejects.toThrow('q_fkey')
    expect(await first().jobs.list({ limit: 9 })).toEqual([])
    const [, other] = stores
    // Another process uses the number of the commit that failed.
    await other?.transaction((tx) => tx.records.put('group', aGroup('GRUP_1'), 0))
    await vi.waitFor(async () => expect(await first().records.list('group')).toHaveLength(1), RECEIVED_MS)
    await vi.waitFor(() => changed(first(), 1), RECEIVED_MS)
    await vi.waitFor(() => expect(sum(calls(wakes))).toBeGreaterThan(0), RECEIVED_MS)
  })

  it('keeps a message for an hour when nobody fetches it, and for a minute afterwards', async () => {
    await queue((jobs) => jobs.enqueue(aJob('JOB_1')))
    const { rows } = await asAdministrator((client) =>
      client.query<{ unfetched: number; after: number }>(
        `SELECT extract(epoch FROM keep_until - start_after)::integer AS unfetched, deletion_seconds AS after FROM ${schema}.job_common`,
      ),
    )
    expect(rows).toEqual([{ unfetched: 3_600, after: 60 }])
  })

  it('reconnects when connections are cut', async () => {
    const wakes = await follow()
    await asAdministrator((client) =>
      client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [
        `quire ${schema}`,
      ]),
    )
    const queued = async () => {
      await queue((jobs) => jobs.enqueue(aJob(`JOB_${Math.random()}`)))
      return sum(calls(wakes))
    }
    await vi.waitFor(async () => expect(await queued()).toBeGreaterThan(0), {
      timeout: 10_000,
      interval: 500,
    })
  })
})
