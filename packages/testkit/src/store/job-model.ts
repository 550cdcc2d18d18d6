import type { Job, JobCount, JobQuery, JobReader, JobState, JobWriter } from '@quire/core/ports'
import { queued } from './job-samples.ts'

/** A plain model of the queue, to compare a store with. */
export type JobModel = Map<string, Job>

/** The changes that can be made to the queue. */
export type JobChanges = Omit<JobWriter, keyof JobReader>

/** Makes the changes of the queue in the model, with the answers that a store must give. */
export function changesOf(model: JobModel): JobChanges {
  return {
    enqueue: async (job) => unended(model, job.key) ?? set(model, queued(job)),
    claim: async (asked) => claim(model, asked),
    beat: async (id, lease, progress) => {
      const job = held(model, id, lease)
      return job && set(model, { ...job, beat: job.beat + 1, progress: progress ?? job.progress })
    },
    finish: async (end) => finish(model, end),
    release: async (seen, { at, error }) => {
      const job = held(model, seen.id, seen.lease)
      if (!job || job.beat !== seen.beat) return null
      if (job.attempts < job.maxAttempts) return set(model, { ...job, state: 'queued' })
      return set(model, { ...job, state: 'failed', finishedAt: at, error })
    },
    cancel: async (id, at) => cancel(model, id, at),
    retry: async (id, runAt) => retry(model, id, runAt),
    sweep: async (asked) => sweep(model, asked),
  }
}

/** The jobs that a list must show. */
export function expectList(model: JobModel, { limit, ...wanted }: JobQuery): readonly Job[] {
  const { kind, state, subject, repositoryIds, before } = wanted
  const found = [...model.values()].filter(
    (job) =>
      (kind === undefined || job.kind === kind) &&
      (state === undefined || job.state === state) &&
      (subject === undefined || job.subject === subject) &&
      (repositoryIds === undefined || repositoryIds.includes(job.repositoryId)) &&
      (before === undefined || job.id < before),
  )
  return found.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
}

/** The counts of the model, in no particular order. */
export function expectCounts(model: JobModel): readonly JobCount[] {
  const groups = Map.groupBy(model.values(), ({ kind, state, repositoryId }) =>
    [kind, state, repositoryId].join(),
  )
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return []
    const { kind, state, repositoryId } = first
    const oldest = Math.min(first.runAt, ...others.map(({ runAt }) => runAt))
    return [{ kind, state, repositoryId, count: others.length + 1, oldest }]
  })
}

/** The unfinished job of a key. */
export function unended(model: JobModel, key: string | null): Job | null {
  const found = [...model.values()].find((job) => key !== null && job.key === key && !hasEnded(job.state))
  return found ?? null
}

function hasEnded(state: JobState): boolean {
  return state !== 'queued' && state !== 'running'
}

function set(model: JobModel, job: Job): Job {
  model.set(job.id, job)
  return job
}

function claim(
  model: JobModel,
  { kind, now, limit, each, except }: Parameters<JobWriter['claim']>[0],
): readonly Job[] {
  const due = [...model.values()]
    .filter((job) => job.kind === kind && job.state === 'queued' && job.runAt <= now)
    .filter(({ subject }) => !except.includes(subject))
    .toSorted((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1))
  const chosen: Job[] = []
  for (const job of due) {
    const ofSubject = chosen.filter(({ subject }) => subject === job.subject)
    if (chosen.length < limit && ofSubject.length < each) chosen.push(job)
  }
  return chosen.map((job) => {
    const { attempts, lease } = job
    return set(model, { ...job, state: 'running', attempts: attempts + 1, lease: lease + 1, startedAt: now })
  })
}

function held(model: JobModel, id: string, lease: number): Job | null {
  const job = model.get(id)
  return job?.state === 'running' && job.lease === lease ? job : null
}

function finish(
  model: JobModel,
  { id, lease, state, at, error, result }: Parameters<JobWriter['finish']>[0],
): boolean {
  const job = held(model, id, lease)
  if (!job) return false
  if (state === 'queued') set(model, { ...job, state, error, runAt: at })
  else set(model, { ...job, state, error, result, finishedAt: at })
  return true
}

function cancel(model: JobModel, id: string, at: number): Job | null {
  const job = model.get(id)
  if (!job || hasEnded(job.state)) return null
  if (job.state === 'running') return set(model, { ...job, isCancelling: true })
  return set(model, { ...job, state: 'cancelled', finishedAt: at })
}

function retry(model: JobModel, id: string, runAt: number): Job | null {
  const job = model.get(id)
  if (job?.state !== 'failed' && job?.state !== 'cancelled') return null
  if (unended(model, job.key)) return null
  const { attempts, lease, beat: beats, progress, startedAt } = job
  const stored = { attempts, lease, beat: beats, progress, startedAt }
  return set(model, { ...queued(job), ...stored, runAt, maxAttempts: attempts + 1 })
}

function sweep(model: JobModel, { kind, before, limit }: Parameters<JobWriter['sweep']>[0]): number {
  const old = [...model.values()]
    .filter((job) => job.kind === kind && job.finishedAt !== null && job.finishedAt < before)
    .toSorted((a, b) => (a.finishedAt ?? 0) - (b.finishedAt ?? 0))
    .slice(0, limit)
  for (const { id } of old) model.delete(id)
  return old.length
}
