import type { Job } from '@quire/core/ports'
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
  gone,
  queued,
  release,
} from './job-samples.ts'

export function endLaws(test: StoreTest): void {
  beatLaws(test)
  finishLaws(test)
  releaseLaws(test)
}

const moved = { done: 2, total: 5, message: 'two' }

function beatLaws(test: StoreTest): void {
  describe('a beat', () => {
    test('grows, and keeps the last reported progress', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      const beat = (progress?: Job['progress']) =>
        store.transaction((tx) => tx.jobs.beat('JOB_1', begun.lease, progress))
      const first = await beat(moved)
      expect(first).toEqual({ ...begun, progress: moved, beat: first?.beat })
      expect(first?.beat).toBeGreaterThan(begun.beat)
      const second = await beat()
      expect(second).toMatchObject({ progress: moved })
      expect(second?.beat).toBeGreaterThan(first?.beat ?? Infinity)
      expect(await store.jobs.get('JOB_1')).toEqual(second)
    })

    test('tells a worker with an older lease to stop, and changes nothing', async ({ store }) => {
      const lost = await begin(store, aJob('JOB_1'))
      const beat = () => store.transaction((tx) => tx.jobs.beat('JOB_1', lost.lease, moved))
      await release(store, lost)
      expect(await beat()).toBeNull()
      const existing = await claimOne(store)
      expect(await beat()).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(existing)
      expect(await store.transaction((tx) => tx.jobs.beat('JOB_9', 1))).toBeNull()
    })

    test('is null once the job has ended', async ({ store }) => {
      await ended(store, aJob('JOB_1'))
      const before = await store.jobs.get('JOB_1')
      const beat = store.transaction((tx) => tx.jobs.beat('JOB_1', before?.lease ?? 0, moved))
      expect(await beat).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(before)
    })
  })
}

function finishLaws(test: StoreTest): void {
  describe('the end of a job', () => {
    test.for([
      { state: 'succeeded', error: null, result: { made: [1, { deep: null }] } },
      { state: 'failed', error: 'No answer.', result: { status: 500 } },
      { state: 'cancelled', error: null, result: null },
    ] as const)('is kept: %j', async (end, { store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      expect(await finish(store, begun, { ...end, at: 700 })).toBe(true)
      expect(await store.jobs.get('JOB_1')).toEqual({ ...begun, ...end, finishedAt: 700 })
    })

    test('may put it back until later, with a reason and without a result', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      const end = { state: 'queued', at: 700, error: 'Busy.', result: { a: 1 } } as const
      expect(await finish(store, begun, end)).toBe(true)
      expect(await store.jobs.get('JOB_1')).toEqual({
        ...begun,
        state: 'queued',
        runAt: 700,
        error: 'Busy.',
      })
    })

    test('counts only with the current lease, while the job is running', async ({ store }) => {
      const lost = await begin(store, aJob('JOB_1'))
      expect(await finish(store, { id: 'JOB_1', lease: lost.lease + 1 })).toBe(false)
      expect(await finish(store, { id: 'JOB_9', lease: 1 })).toBe(false)
      expect(await store.jobs.get('JOB_1')).toEqual(lost)

      await release(store, lost)
      expect(await finish(store, lost)).toBe(false)
      const existing = await claimOne(store)
      expect(await finish(store, lost, { state: 'failed', error: 'late' })).toBe(false)
      expect(await store.jobs.get('JOB_1')).toEqual(existing)
    })

    test('happens once: a second one changes nothing', async ({ store }) => {
      const begun = await begin(store, aJob('JOB_1'))
      await finish(store, begun, { result: { first: true } })
      const first = await store.jobs.get('JOB_1')
      expect(await finish(store, begun, { state: 'failed', at: 900, error: 'second' })).toBe(false)
      expect(await finish(store, begun, { state: 'queued', at: 900 })).toBe(false)
      expect(await store.jobs.get('JOB_1')).toEqual(first)
    })

    test('is refused for a job that is only queued', async ({ store }) => {
      await enqueue(store, aJob('JOB_1'))
      expect(await finish(store, { id: 'JOB_1', lease: 0 })).toBe(false)
      expect(await store.jobs.get('JOB_1')).toEqual(queued(aJob('JOB_1')))
    })
  })
}

function releaseLaws(test: StoreTest): void {
  describe('a job whose worker died', () => {
    test('returns to its place in the queue while it has attempts left', async ({ store }) => {
      const seen = await begin(store, aJob('JOB_1', { maxAttempts: 2 }))
      const released = await release(store, seen)
      expect(released).toEqual({ ...seen, state: 'queued' })
      expect(await store.jobs.get('JOB_1')).toEqual(released)
      expect(await claimed(store)).toEqual(['JOB_1'])
    })

    test('fails when it has no attempts left', async ({ store }) => {
      const seen = await begin(store, aJob('JOB_1', { maxAttempts: 1 }))
      const released = await release(store, seen)
      expect(released).toEqual({ ...seen, state: 'failed', finishedAt: 800, error: gone.error })
      expect(await store.jobs.get('JOB_1')).toEqual(released)
      expect(await claimed(store)).toEqual([])
    })

    test('is not released when its worker reported since, ended it, or started it again', async ({
      store,
    }) => {
      const seen = await begin(store, aJob('JOB_1'))
      const beaten = await store.transaction((tx) => tx.jobs.beat('JOB_1', seen.lease))
      expect(await release(store, seen)).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(beaten)
      await finish(store, seen, { state: 'queued', at: 100 })
      expect(await release(store, seen)).toBeNull()
      const existing = await claimOne(store)
      expect(await release(store, seen)).toBeNull()
      expect(await store.jobs.get('JOB_1')).toEqual(existing)
      await finish(store, existing)
      expect(await release(store, seen)).toBeNull()
      expect(await store.jobs.get('JOB_1')).toMatchObject({ state: 'succeeded', error: null })
    })

    test('is released once, even if two processes saw that it made no progress', async ({ store }) => {
      const seen = await begin(store, aJob('JOB_1'))
      const both = await Promise.all([release(store, seen), release(store, seen)])
      expect(both.filter((released) => released !== null)).toHaveLength(1)
    })

    test('can be released with what `running` shows', async ({ store }) => {
      await begin(store, aJob('JOB_1'))
      const [seen] = await store.jobs.running(9)
      if (!seen) throw new Error('JOB_1 runs.')
      expect(await release(store, seen)).toMatchObject({ id: 'JOB_1', state: 'queued' })
      expect(await store.jobs.running(9)).toEqual([])
    })
  })
}
