import type { Job as SentJob } from '@quire/contract'
import type { Job, JsonObject } from '../ports/index.ts'

/** A job as it is sent. */
export function presentJob(job: Job): SentJob {
  const { id, kind, state, repositoryId, progress, attempts, maxAttempts } = job
  const { runAt, createdAt, startedAt, finishedAt, error, createdBy } = job
  return {
    id,
    kind,
    state,
    repositoryId,
    payload: shownPayload(job.payload),
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
function shownPayload(payload: JsonObject): SentJob['payload'] {
  return Object.fromEntries(
    Object.entries(payload).flatMap(([name, value]) =>
      value === null || typeof value === 'object' ? [] : [[name, value]],
    ),
  )
}
