import { type Job as SentJob, limits } from '@quire/contract'
import type { Call, WriteCall } from './call.ts'
import { countedOf, type Counted, badCursor, decodeCursor, encodeCursor, type PageInput } from './paging.ts'
import type { JsonObject, NewJob, Job, JobQuery, JobProgress } from '../ports/index.ts'

/** What is said of a job that a call puts into the queue. */
export interface JobRequest {
  readonly kind: string
  /** Default: the whole service. */
  readonly repositoryId?: string
  /** Default: none. */
  readonly subject?: string
  /** Two that have not ended never have the same. Default: none. */
  readonly key?: string
  readonly payload?: JsonObject
  /** Default: none. */
  readonly body?: string
  readonly maxAttempts: number
  /** Unix ms. Default: now. */
  readonly runAt?: number
}

/** A job of a caller, for `jobs.enqueue`. */
export function newJob(
  { environment, identity, now }: Pick<Call, 'environment' | 'identity' | 'now'>,
  { kind, repositoryId = '', subject = '', key, payload = {}, body, maxAttempts, runAt = now }: JobRequest,
): NewJob {
  return {
    id: environment.ids.next('JOB'),
    kind,
    repositoryId,
    subject,
    key: key ?? null,
    payload,
    body: body ?? null,
    maxAttempts,
    runAt,
    createdAt: now,
    createdBy: identity.ref,
  }
}

/** A job as it is sent. */
export function serializeJob(job: Job): SentJob {
  const { id, kind, state, repositoryId, progress, attempts, maxAttempts } = job
  const { runAt, createdAt, startedAt, finishedAt, error, createdBy } = job
  return {
    id,
    kind,
    state,
    repositoryId,
    payload: redactedPayload(job.payload),
    progress: { ...progress },
    attempts,
    maxAttempts,
    runAt,
    createdAt,
    startedAt,
    finishedAt,
    error,
    createdBy,
  }
}

/** Its plain members alone: who may see jobs may not read, for that, what they carry of items and merges. */
function redactedPayload(payload: JsonObject): SentJob['payload'] {
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : [[name, value]],
    ),
  )
}

/** What a list of jobs takes. */
interface JobPageInput extends PageInput {
  readonly skipCount?: boolean | undefined
}

/** A page of jobs, the newest first: the cursor is the id of the last one. Errors: `invalid`. */
export async function pageOfJobs<T>(
  { store }: Call,
  narrowed: Omit<JobQuery, 'before' | 'limit'>,
  { limit = limits.pageDefault, cursor, skipCount, existing }: JobPageInput & { existing: (job: Job) => T },
): Promise<Counted & { items: T[]; nextCursor?: string }> {
  const before = cursor === undefined ? undefined : idIn(cursor)
  const found = await store.jobs.list({
    ...narrowed,
    limit: limit + 1,
    ...(before !== undefined && { before }),
  })
  const visible = found.slice(0, limit)
  const last = visible.at(-1)
  const nextCursor = found.length > limit && last ? encodeCursor(last.id) : undefined
  const about =
    skipCount === true ? {} : countedOf(await store.jobs.count({ ...narrowed, limit: limits.counted + 1 }))
  return { ...about, items: visible.map(existing), ...(nextCursor !== undefined && { nextCursor }) }
}

function idIn(cursor: string): string {
  const id = decodeCursor(cursor)
  if (typeof id !== 'string') throw badCursor()
  return id
}

/**
 * Ends a job in the transaction of its effect: both are committed, or neither, so that a process which ends between them is not followed by another
 * that does it again (TRUST I6). Errors: throws when the job is no longer this worker's; the effect is then undone.
 */
export async function endWithin({ environment, store }: WriteCall, { id, lease }: Job): Promise<void> {
  const at = environment.clock.now()
  const isEnded = await store.jobs.finish({
    id,
    lease,
    state: 'succeeded',
    at,
    error: null,
    result: null,
  })
  if (!isEnded) throw new Error(`The job ${id} was taken by another worker.`)
}

/** What a job is given while it is done. */
export interface JobContext {
  /** The job as a caller: a system identity, as of now. */
  readonly call: Call
  /** Aborted when the job is cancelled, its lease is lost or the worker ends: to be looked at between steps. */
  readonly signal: AbortSignal
  /** Says how far it is. Cheap: it is kept with the next beat. */
  readonly progress: (progress: JobProgress) => void
}

/** How the jobs of one kind are done. */
export interface JobHandler {
  /** Jobs of the kind at a time, in one process. */
  readonly slots: number
  /** Whether it adds to what is kept: it is not begun while there is no room for more. */
  readonly adds?: boolean
  /** Places that are in use, where some that were begun wait for others. Default: as many as were begun. */
  readonly inUse?: () => number
  /** Jobs of one subject that begin together at most. */
  readonly each: number
  /** Subjects that get nothing now, given those that are under way. Default: none. */
  readonly except?: (call: Call, underWay: readonly Job[]) => Promise<readonly string[]>
  /** Ms for which a job that failed waits before it is begun again, by how often it was begun. Default: 10 s, then twice as long each time. */
  readonly waits?: (attempts: number) => number
  /** Why it failed, for people, when its worker was gone. Default: that. */
  readonly lost?: string
  /** Does it; what it gives is its result. Errors: JobFailed with words for people; anything else is told in the log alone. */
  readonly run: (job: Job, context: JobContext) => Promise<JsonObject | null>
}

interface FailureNote {
  readonly isFinal?: boolean
  readonly isUntried?: boolean
  readonly result?: JsonObject | null
  readonly cause?: unknown
}

/**
 * A job that failed for a reason that people can do something about. `isFinal`: it is not begun again. `isUntried`: nothing was done yet, so
 * that it is begun again also where `maxAttempts` says that it is attempted once.
 */
export class JobFailed extends Error {
  override readonly name = 'JobFailed'
  readonly isFinal: boolean
  readonly isUntried: boolean
  readonly result: JsonObject | null
  constructor(
    message: string,
    { isFinal = false, isUntried = false, result = null, cause }: FailureNote = {},
  ) {
    super(message, { cause })
    this.isFinal = isFinal
    this.isUntried = isUntried
    this.result = result
  }
}
