import {
  newJobState,
  type Job,
  type JobClaim,
  type JobCount,
  type JobEnd,
  type JobProgress,
  type JobQuery,
  type JobReader,
  type JobState,
  type JobWriter,
  type NewJob,
  type RunningJob,
} from '../ports/index.ts'
import { compareText } from '../adapters/filters.ts'
import type { OpenState, State } from './state.ts'

/** All jobs are in one scope. */
const scope = ''

/** The jobs of a state. */
export function memoryJobs(open: OpenState): JobWriter {
  return {
    ...readsOf(open),
    enqueue: async (job) => enqueue(open(), job),
    claim: async (claim) => {
      const state = open()
      return claimable(state, claim).map((job) => retain(state, started(job, claim.now)))
    },
    beat: async (id, lease, progress) => beat(open(), { id, lease }, progress),
    finish: async (end) => finish(open(), end),
    release: async (seen, end) => release(open(), seen, end),
    cancel: async (id, at) => cancel(open(), id, at),
    retry: async (id, runAt) => retry(open(), id, runAt),
    sweep: async (query) => sweep(open(), query),
  }
}

function readsOf(open: OpenState): JobReader {
  return {
    get: async (id) => open().jobs.get(scope, id) ?? null,
    findUnended: async (key) => unendedOf(open(), key),
    list: async ({ limit, ...filter }) =>
      allOf(open())
        .filter((job) => matchesQuery(job, filter))
        .toSorted((a, b) => compareText(b.id, a.id))
        .slice(0, limit),
    count: async ({ limit, ...filter }) =>
      Math.min(limit, allOf(open()).filter((job) => matchesQuery(job, filter)).length),
    counts: async () => countsOf(allOf(open())),
    running: async (limit) =>
      allOf(open())
        .filter(({ state }) => state === 'running')
        .toSorted((a, b) => compareText(a.id, b.id))
        .slice(0, limit)
        .map(({ id, kind, lease, beat }) => ({ id, kind, lease, beat })),
    nextDue: async (kinds) => {
      const byKind = Map.groupBy(queuedOf(open(), kinds), ({ kind }) => kind)
      return new Map([...byKind].map(([kind, due]) => [kind, Math.min(...due.map(({ runAt }) => runAt))]))
    },
  }
}

function allOf({ jobs }: State): readonly Job[] {
  return [...jobs.values(scope)]
}

function queuedOf(state: State, kinds: readonly string[]): readonly Job[] {
  return allOf(state).filter(({ kind, state }) => state === 'queued' && kinds.includes(kind))
}

function unendedOf({ jobs, jobIds }: State, key: string): Job | null {
  const id = jobIds.get(scope, key)
  return (id === undefined ? undefined : jobs.get(scope, id)) ?? null
}

function matchesQuery(
  job: Job,
  { kind, state, subject, repositoryIds, before }: Omit<JobQuery, 'limit'>,
): boolean {
  return (
    (kind ?? job.kind) === job.kind &&
    (state ?? job.state) === job.state &&
    (subject ?? job.subject) === job.subject &&
    (repositoryIds?.includes(job.repositoryId) ?? true) &&
    (before === undefined || compareText(job.id, before) < 0)
  )
}

function countsOf(jobs: readonly Job[]): readonly JobCount[] {
  const counts = new Map<string, JobCount>()
  for (const { kind, state, repositoryId, runAt } of jobs) {
    const group = JSON.stringify([kind, state, repositoryId])
    const { count = 0, oldest = runAt } = counts.get(group) ?? {}
    counts.set(group, { kind, state, repositoryId, count: count + 1, oldest: Math.min(oldest, runAt) })
  }
  return [...counts.values()].toSorted(
    (a, b) =>
      compareText(a.kind, b.kind) ||
      compareText(a.state, b.state) ||
      compareText(a.repositoryId, b.repositoryId),
  )
}

/** Stores a job, and its key until it has finished. */
function retain({ jobs, jobIds }: State, job: Job): Job {
  jobs.set(scope, job.id, job)
  if (job.key !== null && job.finishedAt === null) jobIds.set(scope, job.key, job.id)
  if (job.key !== null && job.finishedAt !== null) jobIds.delete(scope, job.key)
  return job
}

function enqueue(state: State, job: NewJob): Job {
  const existing = job.key === null ? null : unendedOf(state, job.key)
  if (existing) return existing
  if (state.jobs.get(scope, job.id)) throw new Error(`${job.id} exists already: a job needs a new id.`)
  return retain(state, { ...structuredClone(job), ...newJobState })
}

function claimable(state: State, { kind, now, limit, each, except }: JobClaim): readonly Job[] {
  const due = queuedOf(state, [kind]).filter(
    ({ runAt, subject }) => runAt <= now && !except.includes(subject),
  )
  const sorted = due.toSorted((a, b) => a.runAt - b.runAt || compareText(a.id, b.id))
  const counts = new Map<string, number>()
  return sorted.filter(({ subject }) => countOf(counts, subject) <= each).slice(0, limit)
}

/** Counts a job of a subject: returns 1 for the first one. */
function countOf(counts: Map<string, number>, subject: string): number {
  const count = (counts.get(subject) ?? 0) + 1
  counts.set(subject, count)
  return count
}

function started(job: Job, now: number): Job {
  return { ...job, state: 'running', attempts: job.attempts + 1, lease: job.lease + 1, startedAt: now }
}

/** The job, if the worker's lease is still the current one; otherwise null. */
function heldBy(state: State, { id, lease }: Pick<RunningJob, 'id' | 'lease'>): Job | null {
  const job = state.jobs.get(scope, id)
  return job?.state === 'running' && job.lease === lease ? job : null
}

function beat(state: State, holder: Pick<RunningJob, 'id' | 'lease'>, progress?: JobProgress): Job | null {
  const job = heldBy(state, holder)
  return job && retain(state, { ...job, beat: job.beat + 1, progress: { ...(progress ?? job.progress) } })
}

function finish(state: State, end: JobEnd): boolean {
  const job = heldBy(state, end)
  if (job) retain(state, { ...job, error: end.error, ...endOf(end) })
  return job !== null
}

function endOf({ state, at, result }: JobEnd): Partial<Job> {
  if (state === 'queued') return { state, runAt: at }
  return { state, finishedAt: at, result: structuredClone(result) }
}

function release(
  state: State,
  seen: RunningJob,
  { at, error }: Parameters<JobWriter['release']>[1],
): Job | null {
  const job = heldBy(state, seen)
  if (job?.beat !== seen.beat) return null
  if (job.attempts < job.maxAttempts) return retain(state, { ...job, state: 'queued' })
  return retain(state, { ...job, state: 'failed', finishedAt: at, error })
}

function cancel(state: State, id: string, at: number): Job | null {
  const job = state.jobs.get(scope, id)
  if (job?.state === 'queued') return retain(state, { ...job, state: 'cancelled', finishedAt: at })
  return job?.state === 'running' ? retain(state, { ...job, isCancelling: true }) : null
}

const retried: readonly JobState[] = ['failed', 'cancelled']

function retry(state: State, id: string, runAt: number): Job | null {
  const job = state.jobs.get(scope, id)
  if (!job || !retried.includes(job.state)) return null
  if (job.key !== null && unendedOf(state, job.key)) return null
  const anew = { state: 'queued', finishedAt: null, error: null, result: null, isCancelling: false } as const
  return retain(state, { ...job, ...anew, runAt, maxAttempts: job.attempts + 1 })
}

function sweep(state: State, { kind, before, limit }: Parameters<JobWriter['sweep']>[0]): number {
  const ended = allOf(state).flatMap((job) =>
    job.kind === kind && job.finishedAt !== null && job.finishedAt < before
      ? [{ id: job.id, finishedAt: job.finishedAt }]
      : [],
  )
  const oldest = ended.toSorted((a, b) => a.finishedAt - b.finishedAt).slice(0, limit)
  for (const { id } of oldest) state.jobs.delete(scope, id)
  return oldest.length
}
