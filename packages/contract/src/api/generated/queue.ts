// Generated from the contract by scripts/generate-api-types.mjs: do not edit.
import type { CallOptions, Streamed } from '../call.ts'
import type { EndlessListOf } from './lists.ts'
import type { Job, JobState } from './schema.ts'

/** The operations of `queue`. Background jobs: listing, following, cancelling and retrying them. */
export interface QueueApi {
  /**
   * List jobs, newest first.
   *
   * `GET /api/queue`.
   * Permission: `queue.view`.
   *
   * @param input.repositoryId - Only jobs of this repository.
   * @param input.kind - Only jobs of this kind.
   * @param input.state - Only jobs in this state.
   * @param input.limit - Entries per page, 1 to 1000 (default 100). A page of long items has fewer:
   *   continue with `nextCursor`.
   * @param input.cursor - `nextCursor` of the previous page. Stable while other callers write.
   * @param input.skipCount - Leave out `count`, which makes a long list cheaper.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly list: (input?: QueueListInput, options?: CallOptions) => Promise<EndlessListOf<Job>>

  /**
   * Count jobs by kind and state.
   *
   * `GET /api/queue/stats`.
   * Permission: `queue.view`.
   *
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly stats: (input?: Record<string, never>, options?: CallOptions) => Promise<QueueStats>

  /**
   * Read a job.
   *
   * With `queue.view` any job there, otherwise those that you started.
   *
   * `GET /api/queue/{jobId}`.
   * Permission: `queue.view` or `sites.publish` or `items.publish` or `packages.merge` or
   * `admin.types.update` or `admin.repositories.update`.
   *
   * @param input.jobId - The job.
   * @throws `not_found` - Not found.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_many_requests`, `budget_exceeded`,
   *   `internal`, `unavailable` - As every operation of its kind.
   */
  readonly get: (input: QueueGetInput, options?: CallOptions) => Promise<Job>

  /**
   * Follow a job.
   *
   * Sends the job as it is now, then after every change, until it has ended. With `queue.view` any job
   * there, otherwise those that you started.
   *
   * `GET /api/queue/{jobId}/events`.
   * Permission: `queue.view` or `sites.publish` or `items.publish` or `packages.merge` or
   * `admin.types.update` or `admin.repositories.update`.
   *
   * @param input.jobId - The job.
   * @throws `not_found` - Not found.
   * @throws `too_many_requests` - Too many requests: wait for the time in Retry-After.
   * @throws `invalid`, `unauthorized`, `forbidden`, `budget_exceeded`, `internal`, `unavailable` - As
   *   every operation of its kind.
   */
  readonly watch: (input: QueueWatchInput, options?: CallOptions) => Promise<Streamed<Job>>

  /**
   * Cancel a job.
   *
   * A queued job ends at once. A running job ends at its next step.
   *
   * `POST /api/queue/{jobId}/cancel`.
   * Permission: `queue.manage`.
   *
   * @param input.jobId - The job.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room` - As every operation of its kind.
   */
  readonly cancel: (input: QueueCancelInput, options?: CallOptions) => Promise<Job>

  /**
   * Retry a job that failed or was cancelled.
   *
   * Not for webhook deliveries: a delivery is attempted once, and `webhooks.redeliver` repeats it as a
   * new delivery.
   *
   * `POST /api/queue/{jobId}/retry`.
   * Permission: `queue.manage`.
   *
   * @param input.jobId - The job.
   * @throws `not_found` - Not found.
   * @throws `invalid_state` - The item or package is not in a state that permits this.
   * @throws `idempotency_mismatch` - This Idempotency-Key was used with a different request: use a new
   *   key for a new request.
   * @throws `invalid`, `unauthorized`, `forbidden`, `too_large`, `too_many_requests`,
   *   `budget_exceeded`, `internal`, `unavailable`, `no_room`, `quota_exceeded` - As every operation
   *   of its kind.
   */
  readonly retry: (input: QueueRetryInput, options?: CallOptions) => Promise<Job>
}

/** Number of jobs by kind and state */
export interface QueueStats {
  jobs: {
    kind: string
    /** The state of the job */
    state: JobState
    count: number
    /** When the oldest of them was due to start */
    oldest: number
  }[]
}

/** The input of `queue.list` */
export interface QueueListInput {
  /** Only jobs of this repository */
  repositoryId?: string | undefined
  /** Only jobs of this kind */
  kind?: string | undefined
  /** Only jobs in this state */
  state?: JobState | undefined
  /**
   * Entries per page, 1 to 1000 (default 100). A page of long items has fewer: continue with
   * `nextCursor`
   */
  limit?: number | undefined
  /** `nextCursor` of the previous page. Stable while other callers write */
  cursor?: string | undefined
  /** Leave out `count`, which makes a long list cheaper */
  skipCount?: boolean | undefined
}

/** The input of `queue.get` */
export interface QueueGetInput {
  /** The job */
  jobId: string
}

/** The input of `queue.watch` */
export interface QueueWatchInput {
  /** The job */
  jobId: string
}

/** The input of `queue.cancel` */
export interface QueueCancelInput {
  /** The job */
  jobId: string
}

/** The input of `queue.retry` */
export interface QueueRetryInput {
  /** The job */
  jobId: string
}
