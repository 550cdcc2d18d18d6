import type { Job, JobProgress, NewJob } from '@quire/core/ports'
import type { Tables } from '../dialect.ts'
import type { SqlValues } from '../driver.ts'
import { formatPerson, parseObject, parsePerson } from '../entities/head-row.ts'
import type { RowOf } from '../row-of.ts'

export function jobColumns({ jobs }: Tables) {
  return [
    jobs.id,
    jobs.kind,
    jobs.state,
    jobs.repositoryId,
    jobs.subject,
    jobs.key,
    jobs.payload,
    jobs.progress,
    jobs.attempts,
    jobs.maxAttempts,
    jobs.runAt,
    jobs.createdAt,
    jobs.startedAt,
    jobs.finishedAt,
    jobs.person,
    jobs.error,
    jobs.result,
    jobs.cancelling,
    jobs.lease,
    jobs.beat,
    jobs.body,
  ] as const
}

export type JobRow = RowOf<ReturnType<typeof jobColumns>>

/** Decodes a row into a job. */
export function decodeJob(row: JobRow): Job {
  const [id, kind, state, repositoryId, subject, key, payload, progress, attempts, maxAttempts, ...rest] = row
  const [runAt, createdAt, startedAt, finishedAt, person, error, result, cancelling, lease, beat, body] = rest
  return {
    id,
    kind,
    state,
    repositoryId,
    subject,
    key,
    payload: parseObject(payload),
    body,
    progress: parseProgress(progress),
    attempts,
    maxAttempts,
    runAt,
    createdAt,
    startedAt,
    finishedAt,
    createdBy: parsePerson(person),
    error,
    result: result === null ? null : parseObject(result),
    isCancelling: cancelling === 1,
    lease,
    beat,
  }
}

/** The columns that are set for a new job; the schema's defaults fill the others. */
export function newJobColumns({ jobs }: Tables) {
  const { id, kind, repositoryId, subject, key, payload, body, maxAttempts, runAt, createdAt, person } = jobs
  return { id, kind, repositoryId, subject, key, payload, body, maxAttempts, runAt, createdAt, person }
}

/** The values of `newJobColumns`. */
export function newJobValues({ payload, createdBy, ...job }: NewJob): SqlValues {
  return { ...job, payload: JSON.stringify(payload), person: formatPerson(createdBy) }
}

export function formatProgress({ done, total, message }: JobProgress): string {
  return JSON.stringify({ done, total, message })
}

function parseProgress(text: string): JobProgress {
  const progress: JobProgress = JSON.parse(text)
  return progress
}
