import type { Job, JobClaim, JobEnd, NewJob, RunningJob, Store } from '@quire/core/ports'
import { testStart } from '@quire/core/memory'
import { testRepository } from '../entity.ts'
import { ada } from '../people.ts'

/** A job of the kind `test.do`, due at 100, with at most three attempts. */
export function aJob(id: string, overrides: Partial<NewJob> = {}): NewJob {
  return {
    id,
    kind: 'test.do',
    repositoryId: testRepository,
    subject: '',
    key: null,
    payload: {},
    body: null,
    maxAttempts: 3,
    runAt: 100,
    createdAt: testStart,
    createdBy: ada,
    ...overrides,
  }
}

/** The job as it reads once it is queued. */
export function queued(job: NewJob): Job {
  return {
    ...job,
    state: 'queued',
    progress: { done: 0, total: 0, message: '' },
    attempts: 0,
    startedAt: null,
    finishedAt: null,
    error: null,
    result: null,
    isCancelling: false,
    lease: 0,
    beat: 0,
  }
}

/** Queues jobs in one transaction. */
export async function enqueue(store: Store, ...jobs: readonly NewJob[]): Promise<void> {
  await store.transaction(async (tx) => {
    for (const job of jobs) await tx.jobs.enqueue(job)
  })
}

/** A claim of all jobs due at 100. */
export function aClaim(overrides: Partial<JobClaim> = {}): JobClaim {
  return { kind: 'test.do', now: 100, limit: 99, each: 99, except: [], ...overrides }
}

/** Claims jobs in a transaction of its own. */
export function claim(store: Store, overrides: Partial<JobClaim> = {}): Promise<readonly Job[]> {
  return store.transaction((tx) => tx.jobs.claim(aClaim(overrides)))
}

/** Claims jobs and returns their ids in order. */
export async function claimed(store: Store, overrides: Partial<JobClaim> = {}): Promise<readonly string[]> {
  return jobIds(await claim(store, overrides))
}

/** Claims the only due job and returns it. */
export async function claimOne(store: Store, overrides: Partial<JobClaim> = {}): Promise<Job> {
  const [begun, ...others] = await claim(store, overrides)
  if (!begun || others.length > 0) throw new Error(`${others.length} others were started with ${begun?.id}.`)
  return begun
}

/** Queues a job and claims it. */
export async function begin(store: Store, job: NewJob): Promise<Job> {
  await enqueue(store, job)
  return claimOne(store, { kind: job.kind, now: job.runAt })
}

/** Ends a leased job at 500, by default successfully. */
export function finish(
  store: Store,
  { id, lease }: Pick<Job, 'id' | 'lease'>,
  end: Partial<JobEnd> = {},
): Promise<boolean> {
  return store.transaction((tx) =>
    tx.jobs.finish({ id, lease, state: 'succeeded', at: 500, error: null, result: null, ...end }),
  )
}

/** The end of a job that `release` makes fail. */
export const gone = { at: 800, error: 'Its worker is gone.' }

/** Releases a running job from its worker. */
export function release(store: Store, seen: RunningJob): Promise<Job | null> {
  return store.transaction((tx) => tx.jobs.release(seen, gone))
}

/** Queues a job, claims it and ends it. */
export async function ended(store: Store, job: NewJob, end: Partial<JobEnd> = {}): Promise<void> {
  await finish(store, await begin(store, job), end)
}

/** The ids of jobs, in order. */
export function jobIds(jobs: readonly Pick<Job, 'id'>[]): readonly string[] {
  return jobs.map(({ id }) => id)
}
