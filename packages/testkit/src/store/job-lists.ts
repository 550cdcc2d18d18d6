import type { JobQuery, JobState, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { testRepository } from '../entity.ts'
import type { StoreTest } from './fixture.ts'
import { aJob, begin, ended, enqueue, jobIds } from './job-samples.ts'

export function jobListLaws(test: StoreTest): void {
  listLaws(test)
  figureLaws(test)
}

const states: readonly JobState[] = ['queued', 'running', 'succeeded', 'failed', 'cancelled']

/**
 * `<state><kind><subject><repository>`, one letter each: some of all combinations, in no particular
 * order of ids.
 */
const names = ['qaxR', 'fbyS', 'saxR', 'cbx', 'raxS', 'say', 'fax', 'qby', 'saxS', 'fayR', 'qbxR'] as const

function stateOf(name: string): JobState {
  return states.find((state) => state.startsWith(name.charAt(0))) ?? 'queued'
}

async function fill(store: Store): Promise<void> {
  for (const name of names) {
    const [, kind = '', subject = '', repositoryId = ''] = name
    const job = aJob(name, { kind, subject, repositoryId })
    const state = stateOf(name)
    if (state === 'queued') await enqueue(store, job)
    // Due before the jobs that must stay queued.
    else if (state === 'running') await begin(store, { ...job, runAt: 1 })
    else await ended(store, { ...job, runAt: 1 }, { state })
  }
}

/** What a list must show, computed from the names alone. */
function expected(query: Omit<JobQuery, 'limit'>): readonly string[] {
  const found = names.filter((name) => {
    const [, kind, subject, repositoryId = ''] = name
    return (
      (query.kind ?? kind) === kind &&
      (query.subject ?? subject) === subject &&
      (query.state ?? stateOf(name)) === stateOf(name) &&
      (query.repositoryIds?.includes(repositoryId) ?? true) &&
      (query.before === undefined || name < query.before)
    )
  })
  return found.toSorted().toReversed()
}

/** Every combination of filters of a list. */
const narrowings = [undefined, 'a', 'b'].flatMap((kind) =>
  [undefined, 'x', 'y'].flatMap((subject) =>
    [undefined, ...states].flatMap((state) =>
      [undefined, ['R'], [''], ['S', 'R'], []].map((repositoryIds) => ({
        ...(kind !== undefined && { kind }),
        ...(subject !== undefined && { subject }),
        ...(state && { state }),
        ...(repositoryIds && { repositoryIds }),
      })),
    ),
  ),
)

function listLaws(test: StoreTest): void {
  describe('a list of jobs', () => {
    test('shows the newest ids first, with any filter', async ({ store }) => {
      await fill(store)
      for (const narrowing of narrowings) {
        const found = await store.jobs.list({ ...narrowing, limit: 99 })
        expect(jobIds(found), JSON.stringify(narrowing)).toEqual(expected(narrowing))
      }
    })

    test('continues below an id, at most `limit`', async ({ store }) => {
      await fill(store)
      for (const narrowing of narrowings) {
        const query = { ...narrowing, before: 'qby' }
        const found = await store.jobs.list({ ...query, limit: 2 })
        expect(jobIds(found), JSON.stringify(narrowing)).toEqual(expected(query).slice(0, 2))
      }
      expect(await store.jobs.list({ limit: 9, before: '' })).toEqual([])
    })

    test('is counted with any filter, at most `limit`', async ({ store }) => {
      await fill(store)
      for (const narrowing of narrowings) {
        const found = expected(narrowing).length
        expect(await store.jobs.count({ ...narrowing, limit: 99 }), JSON.stringify(narrowing)).toBe(found)
        expect(await store.jobs.count({ ...narrowing, limit: 2 })).toBe(Math.min(2, found))
      }
    })

    test('shows complete jobs', async ({ store }) => {
      const payload = { text: 'Grüße 😀', list: [1, null, { deep: true }] }
      await ended(store, aJob('JOB_1', { key: 'k', payload }), { result: { a: 1 } })
      const job = await store.jobs.get('JOB_1')
      expect(await store.jobs.list({ limit: 1 })).toEqual([job])
      expect(await store.jobs.list({ limit: 1, kind: 'test.do' })).toEqual([job])
      expect(await store.jobs.list({ limit: 1, subject: '' })).toEqual([job])
      expect(job?.payload).toEqual(payload)
    })

    test('is exact among many groups, page by page', async ({ store }) => {
      const jobs = Array.from({ length: 400 }, (_, index) =>
        aJob(`JOB_${1000 + ((index * 11) % 400)}`, { kind: `k${index % 3}`, repositoryId: `R${index % 23}` }),
      )
      await enqueue(store, ...jobs)
      const seen: string[] = []
      let page = await store.jobs.list({ state: 'queued', limit: 30 })
      // Stops after the number of jobs: a list that does not advance would block the test's
      // timeout.
      while (page.length > 0 && seen.length <= jobs.length) {
        seen.push(...jobIds(page))
        page = await store.jobs.list({ state: 'queued', limit: 30, before: seen.at(-1) ?? '' })
      }
      expect(seen).toEqual(jobIds(jobs).toSorted().toReversed())
    })
  })
}

function figureLaws(test: StoreTest): void {
  describe('the statistics of the queue', () => {
    test('count jobs by kind, state and repository, with the earliest due time', async ({ store }) => {
      expect(await store.jobs.counts()).toEqual([])
      await ended(store, aJob('JOB_1', { runAt: 5 }))
      await begin(store, aJob('JOB_2', { runAt: 7 }))
      await enqueue(store, aJob('JOB_3', { runAt: 30 }), aJob('JOB_4', { runAt: 20 }))
      await enqueue(store, aJob('JOB_5', { repositoryId: '' }), aJob('JOB_6', { kind: 'a' }))
      const group = { kind: 'test.do', repositoryId: testRepository }
      expect(await store.jobs.counts()).toEqual([
        { ...group, kind: 'a', state: 'queued', count: 1, oldest: 100 },
        { ...group, repositoryId: '', state: 'queued', count: 1, oldest: 100 },
        { ...group, state: 'queued', count: 2, oldest: 20 },
        { ...group, state: 'running', count: 1, oldest: 7 },
        { ...group, state: 'succeeded', count: 1, oldest: 5 },
      ])
    })

    test('show running jobs in the order of ids, at most `limit`', async ({ store }) => {
      expect(await store.jobs.running(9)).toEqual([])
      const b = await begin(store, aJob('JOB_b', { kind: 'b' }))
      const a = await begin(store, aJob('JOB_a'))
      await ended(store, aJob('JOB_c'))
      await enqueue(store, aJob('JOB_d'))
      const beaten = await store.transaction((tx) => tx.jobs.beat('JOB_b', b.lease))
      expect(await store.jobs.running(9)).toEqual([
        { id: 'JOB_a', kind: 'test.do', lease: a.lease, beat: a.beat },
        { id: 'JOB_b', kind: 'b', lease: b.lease, beat: beaten?.beat },
      ])
      expect(jobIds(await store.jobs.running(1))).toEqual(['JOB_a'])
    })

    test('report when the next queued job of each given kind is due', async ({ store }) => {
      const { jobs } = store
      expect(await jobs.nextDue(['a', 'b'])).toEqual(new Map())
      await ended(store, aJob('JOB_1', { kind: 'a', runAt: 1 }))
      await begin(store, aJob('JOB_2', { kind: 'a', runAt: 2 }))
      expect(await jobs.nextDue(['a', 'b'])).toEqual(new Map())
      await enqueue(
        store,
        aJob('JOB_3', { kind: 'a', runAt: 40, subject: 'x' }),
        aJob('JOB_4', { kind: 'a', runAt: 30, subject: 'y' }),
        aJob('JOB_5', { kind: 'b', runAt: 20 }),
        aJob('JOB_6', { kind: 'c', runAt: 10 }),
      )
      const [a, b] = [['a', 30] as const, ['b', 20] as const]
      expect(await jobs.nextDue(['a', 'b'])).toEqual(new Map([a, b]))
      expect(await jobs.nextDue(['a'])).toEqual(new Map([a]))
      expect(await jobs.nextDue(['b', 'b', 'none'])).toEqual(new Map([b]))
      expect(await jobs.nextDue([])).toEqual(new Map())
    })
  })
}
