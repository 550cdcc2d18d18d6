import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { completeWiring } from '../../engine/call.ts'
import { createMemo, createShared } from '../../engine/shared.ts'
import { JobFailed, type JobHandler, newJob, type JobRequest } from '../../engine/job.ts'
import { systemCall } from '../../engine/system-call.ts'
import { createMemoryStore } from '../../memory/index.ts'
import type { Job } from '../../ports/index.ts'
import { wholeEnvironment } from '../../whole-environment.ts'
import { createWorker, type Worker } from './worker.ts'

const leaseMs = 300

/** A queue with any number of workers, and a clock that can jump. */
function queueOf() {
  const store = createMemoryStore()
  let jump = 0
  const logged: string[] = []
  const environment = {
    ...wholeEnvironment({ store }),
    clock: { now: () => Date.now() + jump },
    log: { write: (_level: string, event: string) => void logged.push(event) },
  }
  const running = { environment, memo: createMemo(), shared: createShared(), wiring: completeWiring() }
  const call = () => systemCall(running, 'test')
  const workers: Worker[] = []
  return {
    store,
    logged,
    workers,
    jump: (ms: number) => void (jump += ms),
    add: (request: Partial<JobRequest> = {}) =>
      store.transaction((tx) =>
        tx.jobs.enqueue(newJob(call(), { kind: 'test', maxAttempts: 1, ...request })),
      ),
    get: async (job: Job) => {
      const found = await store.jobs.get(job.id)
      if (!found) throw new Error('The job is gone.')
      return found
    },
    worker: (handler: Partial<JobHandler> & Pick<JobHandler, 'run'>, maintain?: () => Promise<void>) => {
      const handlers = new Map([['test', { slots: 4, each: 4, ...handler }]])
      const report = (error: unknown) => void logged.push(String(error))
      const parts = { store, callOf: call, handlers, report, leaseMs }
      const worker = createWorker({ ...parts, ...(maintain && { maintain }) })
      workers.push(worker)
      return worker
    },
  }
}

type Queue = ReturnType<typeof queueOf>
let queue: Queue | undefined

function open(): Queue {
  queue = queueOf()
  return queue
}

afterEach(async () => {
  await Promise.all(queue?.workers.map((worker) => worker.stop()) ?? [])
  queue = undefined
})

const endless: JobHandler['run'] = (_job, { signal }) =>
  new Promise((_resolve, reject) => {
    if (signal.aborted) reject(new Error('stopped'))
    signal.addEventListener('abort', () => reject(new Error('stopped')))
  })

describe('a worker', () => {
  it('runs queued jobs, stores their results, and starts waiting jobs when a slot is free', async () => {
    const { add, worker, get } = open()
    const jobs = await Promise.all(Array.from({ length: 10 }, () => add()))
    let atOnce = 0
    let most = 0
    const one = worker({
      async run() {
        most = Math.max(most, ++atOnce)
        await wait(2)
        atOnce--
        return { done: true }
      },
    })
    one.wake()
    await one.settled()
    for (const job of jobs)
      expect(await get(job)).toMatchObject({ state: 'succeeded', result: { done: true } })
    expect(most).toBe(4)
  })

  it('stores the reason of an expected failure, and no details of an unexpected one', async () => {
    const { add, worker, get, logged } = open()
    const [expected, unexpected] = [await add({ subject: 'expected' }), await add({ subject: 'unexpected' })]
    const one = worker({
      async run({ subject }) {
        if (subject === 'expected') throw new JobFailed('The target said no.', { result: { status: 500 } })
        throw new Error('secret')
      },
    })
    one.wake()
    await one.settled()
    expect(await get(expected)).toMatchObject({
      state: 'failed',
      error: 'The target said no.',
      result: { status: 500 },
    })
    const failed = await get(unexpected)
    expect(failed.state).toBe('failed')
    expect(failed.error).not.toContain('secret')
    expect(logged).toEqual(['job.failed'])
  })

  it('retries a failed job after a wait, up to its number of attempts', async () => {
    const { add, worker, get } = open()
    const job = await add({ maxAttempts: 3 })
    const one = worker({
      waits: () => 0,
      run: async ({ attempts }) => {
        if (attempts < 3) throw new Error('not yet')
        return null
      },
    })
    one.wake()
    await one.settled()
    expect(await get(job)).toMatchObject({ state: 'succeeded', attempts: 3, error: null })
  })

  it('retries a job that did nothing yet, even one with a single attempt, but not for ever', async () => {
    const { add, worker, get, logged } = open()
    const [late, never] = [await add({ subject: 'late' }), await add({ subject: 'never' })]
    const one = worker({
      waits: () => 0,
      run: async ({ attempts, subject }) => {
        if (subject === 'late' && attempts === 3) return null
        throw new JobFailed('Not readable.', { isUntried: true, cause: new Error('the disk') })
      },
    })
    one.wake()
    await one.settled()
    expect(await get(late)).toMatchObject({ state: 'succeeded', attempts: 3 })
    expect(await get(never)).toMatchObject({ state: 'failed', attempts: 15, error: 'Not readable.' })
    // Each cause is logged.
    expect(logged).toEqual(Array.from({ length: 17 }, () => 'job.failed'))
  })

  it('stores jobs that end together in one commit, and looks once however often it is woken', async () => {
    const { add, worker, store } = open()
    await Promise.all(Array.from({ length: 4 }, () => add()))
    const { promise: all, resolve: endAll } = Promise.withResolvers<null>()
    const one = worker({ run: () => all })
    one.wake()
    await expect.poll(async () => (await store.jobs.running(9)).length).toBe(4)
    const [commits, looks] = [vi.spyOn(store, 'transaction'), vi.spyOn(store.jobs, 'nextDue')]
    endAll(null)
    for (let time = 0; time < 5; time++) one.wake()
    await one.settled()
    expect(commits).toHaveBeenCalledTimes(1)
    expect(looks).toHaveBeenCalledTimes(1)
    expect(await store.jobs.counts()).toMatchObject([{ state: 'succeeded', count: 4 }])
  })

  it('does not run a job before it is due, and polls for it once it is started', async () => {
    const { add, worker, get, jump } = open()
    const job = await add({ runAt: Date.now() + 60_000 })
    const one = worker({ run: async () => null })
    one.start()
    await wait(50)
    expect(await get(job)).toMatchObject({ state: 'queued' })
    jump(60_000)
    await expect.poll(async () => (await get(job)).state, { timeout: 3000 }).toBe('succeeded')
  })

  it('is settled only after its maintenance and the jobs that this queued', async () => {
    const { add, worker, get } = open()
    const queued: Job[] = []
    const one = worker({ run: async () => null }, async () => {
      await wait(50)
      queued.push(await add())
      one.wake()
    })
    one.start()
    await one.settled()
    expect(await Promise.all(queued.map(get))).toMatchObject([{ state: 'succeeded' }])
  })

  it('is settled also after its maintenance failed', async () => {
    const { worker, logged } = open()
    const one = worker({ run: async () => null }, () => Promise.reject(new Error('not now')))
    one.start()
    await one.settled()
    expect(logged).toEqual(['Error: not now'])
  })

  it('stops a job that is cancelled', async () => {
    const { add, worker, get, store } = open()
    const job = await add()
    const one = worker({ run: endless })
    one.start()
    await expect.poll(async () => (await get(job)).state).toBe('running')
    await store.transaction((tx) => tx.jobs.cancel(job.id, 1))
    await expect.poll(async () => (await get(job)).state, { timeout: 5000 }).toBe('cancelled')
  })

  it('does not continue a job that was cancelled while its worker was lost', async () => {
    const { add, worker, get, store } = open()
    const job = await add({ maxAttempts: 2 })
    const claim = { kind: 'test', now: Date.now(), limit: 1, each: 1, except: [] }
    await store.transaction((tx) => tx.jobs.claim(claim))
    await store.transaction((tx) => tx.jobs.cancel(job.id, 1))
    const one = worker({ run: endless })
    one.start()
    await expect.poll(async () => (await get(job)).state, { timeout: 5000 }).toBe('cancelled')
  })

  it('requeues jobs with attempts left when it stops, and lets the rest end', async () => {
    const { add, worker, get } = open()
    const [again, once] = [await add({ maxAttempts: 2 }), await add()]
    const run: JobHandler['run'] = (job, context) =>
      job.maxAttempts > 1 ? endless(job, context) : wait(50).then(() => null)
    const one = worker({ run })
    one.wake()
    await expect.poll(async () => (await get(again)).state).toBe('running')
    await one.stop()
    expect(await get(again)).toMatchObject({ state: 'queued' })
    expect(await get(once)).toMatchObject({ state: 'succeeded' })
  })

  it('takes over a job whose worker is gone, and fails one that must not run twice', async () => {
    const { add, worker, get, store } = open()
    const [again, once] = [await add({ maxAttempts: 2 }), await add()]
    const claim = { kind: 'test', now: Date.now(), limit: 2, each: 2, except: [] }
    await store.transaction((tx) => tx.jobs.claim(claim))
    const one = worker({ lost: 'Nobody knows.', run: async () => ({ by: 'other' }) })
    one.start()
    await expect.poll(async () => (await get(again)).state, { timeout: 5000 }).toBe('succeeded')
    expect(await get(once)).toMatchObject({ state: 'failed', error: 'Nobody knows.' })
  })

  it('takes no job from a live worker, however the clock jumps and however long the job', async () => {
    const { add, worker, get, jump } = open()
    const job = await add({ maxAttempts: 5 })
    let begun = 0
    const run: JobHandler['run'] = async () => {
      begun++
      await wait(3 * leaseMs + 2000)
      return null
    }
    const [one, other] = [worker({ run }), worker({ run })]
    one.start()
    other.start()
    for (const ms of [3_600_000, -7_200_000, 10 * 365 * 86_400_000]) {
      jump(ms)
      await wait(leaseMs)
    }
    await expect.poll(async () => (await get(job)).state, { timeout: 8000 }).toBe('succeeded')
    expect(begun).toBe(1)
  }, 15_000)

  it('shares jobs with other workers, and each job runs once', async () => {
    const { add, worker, get } = open()
    const jobs = await Promise.all(Array.from({ length: 60 }, () => add()))
    const done: string[] = []
    const run: JobHandler['run'] = async ({ id }) => {
      done.push(id)
      await wait(1)
      return null
    }
    const workers = [worker({ run }), worker({ run }), worker({ run })]
    for (const one of workers) one.wake()
    await Promise.all(workers.map((one) => one.settled()))
    for (const job of jobs) expect((await get(job)).state).toBe('succeeded')
    expect(new Set(done).size).toBe(60)
    expect(done).toHaveLength(60)
  })

  it('skips subjects that its handler excludes', async () => {
    const { add, worker, get } = open()
    const [full, free] = [await add({ subject: 'full' }), await add({ subject: 'free' })]
    const one = worker({ except: async () => ['full'], run: async () => null })
    one.wake()
    await one.settled()
    expect(await get(free)).toMatchObject({ state: 'succeeded' })
    expect(await get(full)).toMatchObject({ state: 'queued' })
  })
})
