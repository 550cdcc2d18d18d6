import type { Call } from '../../engine/call.ts'
import type { Job, Store } from '../../ports/index.ts'
import type { JobHandler } from '../../engine/job.ts'

/** What a worker is made of. */
export interface WorkerParts {
  readonly store: Store
  /** A call of the system, as of now. */
  readonly callOf: (job: Job | null) => Call
  readonly handlers: ReadonlyMap<string, JobHandler>
  /** What went wrong with the worker itself. */
  readonly report: (error: unknown) => void
  /** Ms for which a job that nobody says anything of is left alone. */
  readonly leaseMs: number
  /** What a worker that was started does beside, at once and every minute. Default: nothing. */
  readonly beside?: () => Promise<void>
}
