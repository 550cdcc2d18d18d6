import { describe, expect } from 'vitest'
import type { StoreTest } from './fixture.ts'
import { aClaim, aJob, begin, claimed, claimOne, enqueue, finish, queued } from './job-samples.ts'

export function claimLaws(test: StoreTest): void {
  describe('a claim', () => {
    test('starts a job: it is running, with one more attempt and a new lease', async ({ store }) => {
      await enqueue(store, aJob('JOB_1'))
      const begun = await claimOne(store, { now: 170 })
      const expected = { ...queued(aJob('JOB_1')), state: 'running', attempts: 1, startedAt: 170 }
      expect(begun).toEqual({ ...expected, lease: begun.lease })
      expect(begun.lease).toBeGreaterThan(0)
      expect(await store.jobs.get('JOB_1')).toEqual(begun)
    })

    test('finds nothing when there are no jobs of the kind, or only running or finished ones', async ({
      store,
    }) => {
      expect(await claimed(store)).toEqual([])
      await enqueue(store, aJob('JOB_1'), aJob('JOB_2', { kind: 'test.other' }))
      const begun = await claimOne(store)
      expect(await claimed(store)).toEqual([])
      await finish(store, begun, { state: 'failed', error: 'x' })
      expect(await claimed(store)).toEqual([])
    })

    test('starts only jobs that are due', async ({ store }) => {
      await enqueue(store, aJob('JOB_1', { runAt: 101 }), aJob('JOB_2', { runAt: 100 }))
      expect(await claimed(store, { now: 99 })).toEqual([])
      expect(await claimed(store, { now: 100 })).toEqual(['JOB_2'])
      expect(await claimed(store, { now: 101 })).toEqual(['JOB_1'])
    })

    test('starts the earliest due jobs, whatever their subject; at the same time, the lower id first', async ({
      store,
    }) => {
      await enqueue(
        store,
        aJob('JOB_5', { subject: 'a', runAt: 30 }),
        aJob('JOB_4', { subject: 'a', runAt: 20 }),
        aJob('JOB_3', { subject: 'b', runAt: 20 }),
        aJob('JOB_2', { subject: 'c', runAt: 10 }),
        aJob('JOB_1', { subject: 'b', runAt: 40 }),
      )
      expect(await claimed(store, { limit: 3 })).toEqual(['JOB_2', 'JOB_3', 'JOB_4'])
      expect(await claimed(store)).toEqual(['JOB_5', 'JOB_1'])
    })

    test('starts as many jobs as its limit, even if more subjects are due at the same time', async ({
      store,
    }) => {
      const subjects = ['e', 'd', 'c', 'b', 'a', '']
      await enqueue(store, ...subjects.map((subject, index) => aJob(`JOB_${index}`, { subject })))
      expect(await claimed(store, { limit: 0 })).toEqual([])
      expect(await claimed(store, { limit: 4, each: 1 })).toEqual(['JOB_0', 'JOB_1', 'JOB_2', 'JOB_3'])
      expect(await claimed(store, { limit: 4, each: 1 })).toEqual(['JOB_4', 'JOB_5'])
    })

    test('starts at most `each` jobs of a subject, and the others with the next claim', async ({ store }) => {
      const jobs = ['a1', 'a2', 'a3', 'b4', 'a5', 'b6'].map((id, index) =>
        aJob(id, { subject: id.charAt(0), runAt: index }),
      )
      await enqueue(store, ...jobs)
      expect(await claimed(store, { each: 0 })).toEqual([])
      expect(await claimed(store, { each: 1 })).toEqual(['a1', 'b4'])
      expect(await claimed(store, { each: 2, limit: 2 })).toEqual(['a2', 'a3'])
      expect(await claimed(store, { each: 2 })).toEqual(['a5', 'b6'])
    })

    test('starts no jobs of excepted subjects', async ({ store }) => {
      const subjects = ['', 'a', 'b', "c'd"]
      await enqueue(store, ...subjects.map((subject, index) => aJob(`JOB_${index}`, { subject })))
      expect(await claimed(store, { except: ['a', "c'd", 'gone'] })).toEqual(['JOB_0', 'JOB_2'])
      expect(await claimed(store, { except: [''] })).toEqual(['JOB_1', 'JOB_3'])
    })

    test('continues after a subject whose first job is not due', async ({ store }) => {
      await enqueue(
        store,
        aJob('JOB_1', { subject: 'a', runAt: 900 }),
        aJob('JOB_2', { subject: 'b' }),
        aJob('JOB_3', { subject: 'c', runAt: 900 }),
        aJob('JOB_4', { subject: 'c' }),
      )
      expect(await claimed(store, { limit: 2 })).toEqual(['JOB_2', 'JOB_4'])
    })

    test('gives a job that was put back a higher lease, and counts the attempt', async ({ store }) => {
      const first = await begin(store, aJob('JOB_1'))
      await finish(store, first, { state: 'queued', at: 150, error: 'again' })
      expect(await claimed(store, { now: 149 })).toEqual([])
      const second = await claimOne(store, { now: 150 })
      expect(second).toMatchObject({ attempts: 2, startedAt: 150, error: 'again' })
      expect(second.lease).toBeGreaterThan(first.lease)
    })

    test('sees jobs that its transaction queued, but not those that it started', async ({ store }) => {
      const seen = await store.transaction(async (tx) => {
        await tx.jobs.enqueue(aJob('JOB_1'))
        return [await tx.jobs.claim(aClaim()), await tx.jobs.claim(aClaim())].map(({ length }) => length)
      })
      expect(seen).toEqual([1, 0])
    })

    test('is exact among many jobs of many subjects', async ({ store }) => {
      const jobs = Array.from({ length: 600 }, (_, index) =>
        aJob(`JOB_${1000 + ((index * 7) % 600)}`, { subject: `S${index % 37}`, runAt: (index * 13) % 90 }),
      )
      await enqueue(store, ...jobs)
      const order = jobs.toSorted((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1))
      const firsts = order.filter(
        ({ subject }, index) => order.slice(0, index).filter((other) => other.subject === subject).length < 2,
      )
      const expected = firsts.slice(0, 50).map(({ id }) => id)
      expect(await claimed(store, { limit: 50, each: 2 })).toEqual(expected)
    })
  })
}
