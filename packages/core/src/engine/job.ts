import { type Job as SentJob, limits } from '@quire/contract'
import type { Call, WriteCall } from './call.ts'
import { countedOf, type Counted, badCursor, decodeCursor, encodeCursor, type PageInput } from './paging.ts'
import type { JsonObject, NewJob, Job, JobQuery, JobProgress } from '../ports/index.ts'

/** A job that a call adds to the queue. */
export interface JobRequest {
  readonly kind: string
  /** Default: the whole service. */
  readonly repositoryId?: string
  /** Default: none. */
  readonly subject?: string
  /** At most one unfinished job has this key. Default: none. */
  readonly key?: string
  readonly payload?: JsonObject
  /** Default: none. */
  readonly body?: string
  readonly maxAttempts: number
  /** Unix ms. Default: now. */
  readonly runAt?: number
}

/** A job created by the caller, for `jobs.enqueue`. */
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

/** A job in the form that is sent to callers. */
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

/**
 * Only plain members of the payload: callers who may see jobs may not read the items and merges in
 * them.
 */
function redactedPayload(payload: JsonObject): SentJob['payload'] {
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : [[name, value]],
    ),
  )
}

/** The input of a list of jobs. */
interface JobPageInput extends PageInput {
  readonly skipCount?: boolean | undefined
}

/** A page of jobs, newest first; the cursor contains the id of the last one. Errors: `invalid`. */
export async function pageOfJobs<T>(
  { store }: Call,
  narrowed: Omit<JobQuery, 'before' | 'limit'>,
  { limit = limits.pageDefault, cursor, skipCount, serialize }: JobPageInput & { serialize: (job: Job) => T },
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
  return { ...about, items: visible.map(serialize), ...(nextCursor !== undefined && { nextCursor }) }
}

function idIn(cursor: string): string {
  const id = decodeCursor(cursor)
  if (typeof id !== 'string') throw badCursor()
  return id
}

/**
 * Ends a job in the transaction of its effect. Both are committed or neither, so that after a crash
 * no other process repeats the effect (TRUST I6). Errors: throws when the job is no longer this
 * worker's; the effect is then rolled back.
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

/** What a job handler gets while a job runs. */
export interface JobContext {
  /** A call with a system identity and the current time. */
  readonly call: Call
  /**
   * Aborted when the job is cancelled, its lease is lost or the worker stops: check it between
   * steps.
   */
  readonly signal: AbortSignal
  /** Reports progress. Cheap: it is stored with the next heartbeat. */
  readonly progress: (progress: JobProgress) => void
}

/** Runs the jobs of one kind. */
export interface JobHandler {
  /** Maximum number of jobs of the kind that run at a time in one process. */
  readonly slots: number
  /** Whether it adds data: then it is not started while there is no room for more. */
  readonly adds?: boolean
  /**
   * The number of slots in use, when some running jobs wait for others. Default: the number of
   * running jobs.
   */
  readonly inUse?: () => number
  /** Maximum number of jobs of one subject that are started together. */
  readonly each: number
  /** Subjects to skip now, given the running jobs. Default: none. */
  readonly except?: (call: Call, underWay: readonly Job[]) => Promise<readonly string[]>
  /**
   * Ms that a failed job waits before it is started again, by the number of attempts. Default: 10
   * s, then twice as long each time.
   */
  readonly waits?: (attempts: number) => number
  /** The error message for people when its worker was lost. Default: a message that says so. */
  readonly lost?: string
  /**
   * Runs the job and returns its result. Errors: JobFailed with a message for people; any other
   * error is only logged.
   */
  readonly run: (job: Job, context: JobContext) => Promise<JsonObject | null>
}

interface FailureNote {
  readonly isFinal?: boolean
  readonly isUntried?: boolean
  readonly result?: JsonObject | null
  readonly cause?: unknown
}

/**
 * A failure with a reason that people can do something about. `isFinal`: the job is not started
 * again. `isUntried`: nothing was done yet, so it is started again even if `maxAttempts` allows
 * only one attempt.
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
