import type { Call } from './call.ts'
import type { Job, JobProgress, JsonObject } from '../ports/index.ts'

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
