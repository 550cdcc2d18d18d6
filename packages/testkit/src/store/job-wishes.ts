import { describe, expect } from 'vitest'
import type { StoreTest } from './fixture.ts'
import {
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

/** Requests of people to cancel and retry jobs, and the deletion of old jobs. */
export function wishLaws(test: StoreTest): void {
  cancelLaws(test)
  retryLaws(test)
  sweepLaws(test)
}

function cancelLaws(test: StoreTest): void {
  describe('cancelling', () => {
    test('ends a queued job', async ({ store }) => {
      await enqueue(store, aJob('JOB_1'))
      const cancelled = await store.transaction((tx) => tx.jobs.cancel('JOB_1', 300))
      expect(cancelled).toEqual({ ...queued(aJob('JOB_1')), state: 'cancelled', finishedAt: 300 })
      expect(await store.jobs.get('JOB_1')).toEqual(cancelled)
      expect(await claimed(store)).toEqual([])
    })

    test('marks a running job, whose worker sees it at its next beat and ends the job', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      const asked = await store.transaction((tx) => tx.jobs.cancel('JOB_1', 300))
      expect(asked).toEqual({ ...begun, isCancelling: true })
      const received = await store.transaction((tx) => tx.jobs.beat('JOB_1', begun.lease))
      expect(received).toMatchObject({ state: 'running', isCancelling: true })
      expect(await finish(store, begun, { state: 'cancelled' })).toBe(true)
      expect(await store.jobs.get('JOB_1')).toMatchObject({ state: 'cancelled', isCancelling: true })
    })

    test('remains when the job is put back: the next worker sees it at once', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      await store.transaction((tx) => tx.jobs.cancel('JOB_1', 300))
      await finish(store, begun, { state: 'queued', at: 100 })
      const next = await claimOne(store)
      expect(next).toMatchObject({ isCancelling: true })
      await release(store, next)
      expect(await claimOne(store)).toMatchObject({ id: 'JOB_1', isCancelling: true })
    })

    test('returns null for an absent or finished job, and changes nothing', async ({ store }) => {
      await ended(store, aJob('JOB_1'))
      const before = await store.jobs.get('JOB_1')
      expect(await store.transaction((tx) => tx.jobs.cancel('JOB_1', 900))).toBeNull()
      expect(await store.transaction((tx) => tx.jobs.cancel('JOB_9', 900))).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(before)
    })
  })
}

function retryLaws(test: StoreTest): void {
  describe('retrying', () => {
    test('queues a failed job again, for one more attempt', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1', { maxAttempts: 1 }))
      await store.transaction((tx) => tx.jobs.cancel('JOB_1', 300))
      await finish(store, begun, { state: 'failed', error: 'x', result: { a: 1 } })
      const retried = await store.transaction((tx) => tx.jobs.retry('JOB_1', 600))
      expect(retried).toEqual({ ...begun, state: 'queued', runAt: 600, maxAttempts: 2 })
      expect(await store.jobs.get('JOB_1')).toEqual(retried)
      expect(await claimed(store, { now: 599 })).toEqual([])
      const again = await claimOne(store, { now: 600 })
      expect(again).toMatchObject({ attempts: 2, maxAttempts: 2 })
      expect(await release(store, again)).toMatchObject({ state: 'failed' })
    })

    test('allows exactly one attempt for a job that was cancelled before its start or failed with attempts left', async ({
      store,
    }) => {
      await enqueue(store, aJob('JOB_1'))
      await store.transaction((tx) => tx.jobs.cancel('JOB_1', 300))
      await ended(store, aJob('JOB_2'), { state: 'failed', error: 'x' })
      const retry = (id: string) => store.transaction((tx) => tx.jobs.retry(id, 100))
      expect(await retry('JOB_1')).toMatchObject({ state: 'queued', attempts: 0, maxAttempts: 1 })
      expect(await retry('JOB_2')).toMatchObject({ state: 'queued', attempts: 1, maxAttempts: 2 })
    })

    test('returns null for an absent, queued, running or succeeded job, and changes nothing', async ({
      store,
    }) => {
      await ended(store, aJob('JOB_3'))
      await begin(store, aJob('JOB_2'))
      await enqueue(store, aJob('JOB_1'))
      const before = await store.jobs.list({ limit: 9 })
      for (const id of ['JOB_1', 'JOB_2', 'JOB_3', 'JOB_9'])
        expect(await store.transaction((tx) => tx.jobs.retry(id, 900)), id).toBeNull()
      expect(await store.jobs.list({ limit: 9 })).toEqual(before)
    })

    test('is refused when its key has another unfinished job', async ({ store }) => {
      await ended(store, aJob('JOB_1', { key: 'sync' }), { state: 'failed', error: 'x' })
      const failed = await store.jobs.get('JOB_1')
      const existing = await begin(store, aJob('JOB_2', { key: 'sync' }))
      const retry = () => store.transaction((tx) => tx.jobs.retry('JOB_1', 600))
      expect(await retry()).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(failed)
      expect(await store.jobs.findUnended('sync')).toEqual(existing)
      await finish(store, existing)
      expect(await retry()).toMatchObject({ id: 'JOB_1', state: 'queued' })
      expect(await store.jobs.findUnended('sync')).toMatchObject({ id: 'JOB_1' })
    })
  })
}

function sweepLaws(test: StoreTest): void {
  describe('sweeping', () => {
    test('deletes jobs of a kind that ended before a time, oldest first, and returns their number', async ({
      store,
    }) => {
      await ended(store, aJob('JOB_1'), { at: 30 })
      await ended(store, aJob('JOB_2'), { at: 10, state: 'failed', error: 'x' })
      await ended(store, aJob('JOB_3'), { at: 20, state: 'cancelled' })
      await ended(store, aJob('JOB_4'), { at: 40 })
      await ended(store, aJob('JOB_5', { kind: 'test.other' }), { at: 1 })
      const sweep = (limit: number) =>
        store.transaction((tx) => tx.jobs.sweep({ kind: 'test.do', before: 40, limit }))
      const left = async () => jobIds(await store.jobs.list({ limit: 9 }))
      expect(await sweep(2)).toBe(2)
      expect(await left()).toEqual(['JOB_5', 'JOB_4', 'JOB_1'])
      expect(await sweep(2)).toBe(1)
      expect(await sweep(2)).toBe(0)
      expect(await left()).toEqual(['JOB_5', 'JOB_4'])
      expect(await store.jobs.get('JOB_1')).toBeNull()
    })

    test('keeps unfinished jobs, however old, and jobs that were queued again', async ({ store }) => {
      await ended(store, aJob('JOB_3', { runAt: 1 }), { state: 'failed', error: 'x', at: 5 })
      await begin(store, aJob('JOB_2', { runAt: 1 }))
      await enqueue(store, aJob('JOB_1', { runAt: 1 }))
      await store.transaction((tx) => tx.jobs.retry('JOB_3', 1))
      const sweep = store.transaction((tx) => tx.jobs.sweep({ kind: 'test.do', before: 1e15, limit: 9 }))
      expect(await sweep).toBe(0)
      expect(await store.jobs.list({ limit: 9 })).toHaveLength(3)
    })
  })
}
