import type { Job, Store, StoreReader, Transaction } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { refusal, type StoreTest } from './fixture.ts'
import { claimLaws } from './job-claims.ts'
import { endLaws } from './job-ends.ts'
import { jobListLaws } from './job-lists.ts'
import { jobProperties } from './job-properties.ts'
import {
  aClaim,
  aJob,
  begin,
  claimed,
  claimOne,
  ended,
  enqueue,
  finish,
  jobIds,
  queued,
  release,
} from './job-samples.ts'
import { wishLaws } from './job-wishes.ts'

export function jobLaws(test: StoreTest): void {
  queueLaws(test)
  keyLaws(test)
  claimLaws(test)
  endLaws(test)
  wishLaws(test)
  jobListLaws(test)
  togetherLaws(test)
  raceLaws(test)
  jobProperties(test)
}

function queueLaws(test: StoreTest): void {
  describe('a queued job', () => {
    test('is null while absent, and then reads as it was put', async ({ store }) => {
      expect(await store.jobs.get('JOB_1')).toBeNull()
      const payload = { list: [1, { deep: null }] }
      const body = '{"quoted":"\\"é\\n"}'
      const job = aJob('JOB_1', { key: 'k', subject: 'HOOK_1', payload, body })
      expect(await store.transaction((tx) => tx.jobs.enqueue(job))).toEqual(queued(job))
      expect(await store.jobs.get('JOB_1')).toEqual(queued(job))
    })

    test('is a copy: changing the object that was put has no effect', async ({ store }) => {
      const ids = ['CONT_1']
      await enqueue(store, aJob('JOB_1', { payload: { ids } }))
      ids.push('CONT_2')
      expect((await store.jobs.get('JOB_1'))?.payload).toEqual({ ids: ['CONT_1'] })
    })

    test('has a unique id: one that is in use is refused, and the existing job is not changed', async ({
      store,
    }) => {
      const begun = await begin(store, aJob('JOB_1'))
      expect(await refusal(enqueue(store, aJob('JOB_1', { kind: 'other' })))).toBeInstanceOf(Error)
      expect(await store.jobs.list({ limit: 9 })).toEqual([begun])
    })
  })
}

function keyLaws(test: StoreTest): void {
  describe('a key', () => {
    test('has one unfinished job: queuing another returns that one unchanged', async ({ store }) => {
      const first = aJob('JOB_1', { key: 'sync', payload: { first: true } })
      const second = aJob('JOB_2', { key: 'sync', kind: 'other', runAt: 1 })
      const join = () => store.transaction((tx) => tx.jobs.enqueue(second))
      await enqueue(store, first)
      expect(await join()).toEqual(queued(first))
      const begun = await claimOne(store)
      expect(await join()).toEqual(begun)
      expect(await store.jobs.list({ limit: 9 })).toEqual([begun])
    })

    test('is free again once its job has ended in any way', async ({ store }) => {
      const key = 'sync'
      for (const [index, state] of (['succeeded', 'failed', 'cancelled'] as const).entries())
        await ended(store, aJob(`JOB_${index}`, { key }), { state })
      await enqueue(store, aJob('JOB_3', { key }))
      await store.transaction((tx) => tx.jobs.cancel('JOB_3', 1))
      const lost = await begin(store, aJob('JOB_4', { key, maxAttempts: 1 }))
      await release(store, lost)
      expect(await store.jobs.findUnended(key)).toBeNull()
      await enqueue(store, aJob('JOB_5', { key }))
      expect(jobIds(await store.jobs.list({ limit: 2 }))).toEqual(['JOB_5', 'JOB_4'])
    })

    test('stays with a job that is put back or released', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1', { key: 'sync' }))
      await finish(store, begun, { state: 'queued', at: 100 })
      await release(store, await claimOne(store))
      await enqueue(store, aJob('JOB_2', { key: 'sync' }))
      expect(jobIds(await store.jobs.list({ limit: 9 }))).toEqual(['JOB_1'])
    })

    test('finds its job until the job has ended', async ({ store }) => {
      const { jobs } = store
      expect(await jobs.findUnended('sync')).toBeNull()
      const job = aJob('JOB_1', { key: 'sync' })
      await enqueue(store, job, aJob('JOB_2', { key: 'other', runAt: 900 }), aJob('JOB_3', { runAt: 900 }))
      expect(await jobs.findUnended('sync')).toEqual(queued(job))
      const begun = await claimOne(store)
      expect(await jobs.findUnended('sync')).toEqual(begun)
      await finish(store, begun)
      expect(await jobs.findUnended('sync')).toBeNull()
    })

    test('is not unique when it is null', async ({ store }) => {
      await enqueue(store, aJob('JOB_1'), aJob('JOB_2'))
      expect(jobIds(await store.jobs.list({ limit: 9 }))).toEqual(['JOB_2', 'JOB_1'])
    })
  })
}

/** Makes every kind of change to the jobs of `prepare`. */
async function change(tx: Transaction): Promise<void> {
  await tx.jobs.enqueue(aJob('JOB_5', { key: 'new' }))
  await tx.jobs.cancel('JOB_2', 1)
  await tx.jobs.retry('JOB_3', 1)
  const [{ lease } = { lease: 0 }] = await tx.jobs.running(1)
  await tx.jobs.beat('JOB_1', lease, { done: 1, total: 1, message: 'x' })
  await tx.jobs.finish({ id: 'JOB_1', lease, state: 'failed', at: 2, error: 'x', result: null })
  await tx.jobs.claim(aClaim())
  await tx.jobs.sweep({ kind: 'test.do', before: 1e15, limit: 9 })
}

/** Creates a running, a queued, a failed and a succeeded job. */
async function prepare(store: Store): Promise<Job> {
  await ended(store, aJob('JOB_4', { key: 'done' }))
  await ended(store, aJob('JOB_3', { key: 'failed' }), { state: 'failed', error: 'x' })
  const running = await begin(store, aJob('JOB_1', { key: 'running' }))
  await enqueue(store, aJob('JOB_2', { key: 'queued' }))
  return running
}

async function seenBy({ jobs }: StoreReader) {
  const keys = ['done', 'failed', 'running', 'queued', 'new']
  return {
    all: await jobs.list({ limit: 9 }),
    queued: jobIds(await jobs.list({ limit: 9, state: 'queued' })),
    running: await jobs.running(9),
    counts: await jobs.counts(),
    nextDue: await jobs.nextDue(['test.do']),
    unended: jobIds(
      (await Promise.all(keys.map((key) => jobs.findUnended(key)))).flatMap((job) => job ?? []),
    ),
  }
}

const undo = new Error('undo')

function togetherLaws(test: StoreTest): void {
  describe('jobs in a transaction', () => {
    test('are visible inside at once, and outside after it has ended', async ({ store }) => {
      await prepare(store)
      const before = await seenBy(store)
      const inside = await store.transaction(async (tx) => {
        await change(tx)
        expect(await seenBy(store)).toEqual(before)
        return seenBy(tx)
      })
      expect(jobIds(inside.all)).toEqual(['JOB_5', 'JOB_3'])
      expect(jobIds(inside.running)).toEqual(['JOB_3', 'JOB_5'])
      expect(inside.unended).toEqual(['JOB_3', 'JOB_5'])
      expect(await seenBy(store)).toEqual(inside)
    })

    test('are unchanged when it throws', async ({ store }) => {
      await prepare(store)
      const before = await seenBy(store)
      await refusal(store.transaction((tx) => change(tx).then(() => Promise.reject(undo))))
      expect(await seenBy(store)).toEqual(before)
      expect(await claimed(store)).toEqual(['JOB_2'])
    })

    test('are unchanged when a nested one throws, even for the rest of the outer one', async ({ store }) => {
      await prepare(store)
      const before = await seenBy(store)
      await store.transaction(async (tx) => {
        await refusal(tx.nested((inner) => change(inner).then(() => Promise.reject(undo))))
        expect(await seenBy(tx)).toEqual(before)
        await tx.nested(change)
      })
      expect(jobIds((await seenBy(store)).all)).toEqual(['JOB_5', 'JOB_3'])
    })
  })
}

const WORKERS = 20

function raceLaws(test: StoreTest): void {
  describe('with twenty at once', () => {
    const all = <T>(work: (worker: number) => Promise<T>) =>
      Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)))

    test('no two claims get the same job', async ({ store }) => {
      const jobs = Array.from({ length: 50 }, (_, index) =>
        aJob(`JOB_${index}`, { subject: `S${index % 7}` }),
      )
      await enqueue(store, ...jobs)
      const given = (await all(() => claimed(store, { limit: 3, each: 2 }))).flat()
      expect(given.toSorted()).toEqual(jobIds(jobs).toSorted())
    })

    test('exactly one can end a job', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      const outcomes = await all((worker) => finish(store, begun, { result: { worker } }))
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      const winner = outcomes.indexOf(true)
      expect((await store.jobs.get('JOB_1'))?.result).toEqual({ worker: winner })
    })

    test('all that queue the same key get the same job', async ({ store }) => {
      const got = await all((worker) =>
        store.transaction((tx) => tx.jobs.enqueue(aJob(`JOB_${worker}`, { key: 'sync' }))),
      )
      expect(new Set(jobIds(got)).size).toBe(1)
      expect(await store.jobs.list({ limit: 99 })).toEqual([got[0]])
    })
  })
}

export function jobRestartLaws(test: StoreTest): void {
  describe('jobs after a restart', () => {
    test('are unchanged, and continue', async ({ store, reopen }) => {
      const running = await prepare(store)
      const before = await seenBy(store)
      const again = await reopen()
      expect(await seenBy(again)).toEqual(before)
      expect(await finish(again, running)).toBe(true)
      expect(await claimed(again)).toEqual(['JOB_2'])
      await enqueue(again, aJob('JOB_6', { key: 'queued' }))
      expect(await again.jobs.get('JOB_6')).toBeNull()
    })
  })
}
