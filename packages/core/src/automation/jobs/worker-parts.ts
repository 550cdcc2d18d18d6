import type { Call } from '../../engine/call.ts'
import type { Job, Store } from '../../ports/index.ts'
import type { JobHandler } from '../../engine/job.ts'

/** The dependencies and settings of a worker. */
export interface WorkerParts {
  readonly store: Store
  /** Creates a system call with the current time: for one job, or for the worker itself (null). */
  readonly callOf: (job: Job | null) => Call
  readonly handlers: ReadonlyMap<string, JobHandler>
  /** Receives errors of the worker itself, as opposed to errors of jobs. */
  readonly report: (error: unknown) => void
  /**
   * Lease timeout in milliseconds: a running job without a heartbeat for this long is taken over.
   */
  readonly leaseMs: number
  /** Runs when the worker starts and every minute after that. Default: nothing. */
  readonly maintain?: () => Promise<void>
}
