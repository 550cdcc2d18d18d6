import { beforeAll, describe, expect, it } from 'vitest'
import { aJob } from '../../store/job-samples.ts'
import { allOf, reading } from './following.ts'
import { failing } from '../failing.ts'
import { prepareMagazine } from '../delivery/magazine.ts'
import { everything, type Bench } from '../host.ts'

// No worker runs jobs of this kind, so they progress as the test says.
const kind = 'test.idle'

export function watchingTests(bench: () => Bench): void {
  beforeAll(() => prepareMagazine(bench().system))
  let jobs = 0

  const enqueue = async (repositoryId = '') => {
    const { store, clock } = bench().scope
    const now = clock.now()
    jobs += 1
    const job = aJob(`JOB_${String(jobs).padStart(26, '0')}`, {
      kind,
      repositoryId,
      payload: { number: jobs },
      maxAttempts: 1,
      runAt: now,
      createdAt: now,
      createdBy: { userName: 'system:test', displayName: 'test', email: '' },
    })
    await store.transaction((tx) => tx.jobs.enqueue(job))
    return job.id
  }

  const claim = async () => {
    const { store, clock } = bench().scope
    const wanted = { kind, now: clock.now(), limit: 1, each: 1, except: [] }
    const [job] = await store.transaction((tx) => tx.jobs.claim(wanted))
    return job ?? expect.unreachable('there is one')
  }

  describe('a followed job', () => {
    it('shows its state and every change, and the stream ends with it', async () => {
      const { api, scope } = bench()
      const jobId = await enqueue()
      const iterator = (await api.queue.watch({ jobId }))[Symbol.asyncIterator]()
      const next = async () => (await iterator.next()).value
      expect(await next()).toMatchObject({
        id: jobId,
        state: 'queued',
        attempts: 0,
        payload: { number: jobs },
      })
      const job = await claim()
      expect(await next()).toMatchObject({ state: 'running', attempts: 1 })
      const progress = { done: 3, total: 10, message: 'a third' }
      await scope.store.transaction((tx) => tx.jobs.beat(jobId, job.lease, progress))
      expect(await next()).toMatchObject({ state: 'running', progress })
      const end = {
        id: jobId,
        lease: job.lease,
        state: 'failed',
        at: scope.clock.now(),
        error: 'No ink',
        result: null,
      } as const
      await scope.store.transaction((tx) => tx.jobs.finish(end))
      expect(await next()).toMatchObject({ state: 'failed', error: 'No ink' })
      expect(await iterator.next()).toEqual({ done: true, value: undefined })
      expect(await allOf(await api.queue.watch({ jobId }))).toMatchObject([{ state: 'failed' }])
    })

    it('can be left like any stream, and ends when the reader may no longer see it', async () => {
      const { as, system } = bench()
      const reader = await as({ permissions: { global: ['queue.view'] } })
      const jobId = await enqueue()
      const left = reading(await reader.queue.watch({ jobId }))
      expect((await left.first).value).toMatchObject({ state: 'queued' })
      await left.leave()
      const watched = allOf(await reader.queue.watch({ jobId }))
      const { roles } = await reader.auth.myPermissions()
      for (const id of roles) await system.roles.update({ id, permissions: { global: [] } })
      expect(await watched).toHaveLength(1)
    })

    it('is not found by callers who may not see it', async () => {
      const { api, as, system } = bench()
      const { id } = await system.repositories.get({ id: 'magazine' })
      const ofNone = await as({ permissions: { repos: { [id]: ['queue.view'] } } })
      const [here, everywhere] = [await enqueue(id), await enqueue()]
      const watched = reading(await ofNone.queue.watch({ jobId: here }))
      expect((await watched.first).value).toMatchObject({ id: here })
      await watched.leave()
      const unseen = await failing(ofNone.queue.watch({ jobId: everywhere }), 'not_found')
      const absent = await failing(ofNone.queue.watch({ jobId: 'JOB_NONE' }), 'not_found')
      expect(unseen.message.replace(everywhere, 'JOB_NONE')).toBe(absent.message)
      await failing((await as({})).queue.watch({ jobId: here }), 'forbidden')
      await failing(api.queue.watch({ jobId: 'JOB_NONE' }), 'not_found')
    })

    it('counts as one of the ten streams of its reader', async () => {
      const { as, inProcess } = bench()
      const api = await as(everything)
      const { events } = await inProcess(api)
      const jobId = await enqueue()
      const held = []
      for (let count = 0; count < 10; count++) held.push(reading(await events.stream()))
      await failing(api.queue.watch({ jobId }), 'too_many_requests')
      for (const one of held) await one.leave()
    })
  })
}
