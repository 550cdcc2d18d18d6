import type { JsonObject, NewJob } from '../ports/index.ts'
import type { Call } from './call.ts'

/** What is said of a job that a call puts into the queue. */
export interface WantedJob {
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
  { kind, repositoryId = '', subject = '', key, payload = {}, body, maxAttempts, runAt = now }: WantedJob,
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
