import type { Call } from '../call/call.ts'
import type { Job, JobEnd, JobProgress } from '../ports/index.ts'
import { QuireError, told } from '@quire/contract'
import { JobFailed, type JobHandler } from '../call/job-handler.ts'

/** A job that is to be done. */
export interface Task {
  readonly job: Job
  readonly handler: JobHandler
  readonly call: Call
  readonly signal: AbortSignal
  readonly progress: (progress: JobProgress) => void
  /** Whether the worker ends: then a job that stopped for it is begun again by another. */
  readonly isStopping: () => boolean
}

/** Ms before the second begin; twice as long before each further one. */
const FIRST_WAIT = 10_000

/** Ms before a begin at most. */
const LONGEST_WAIT = 60 * 60 * 1000

/** How often what was not tried is begun, some six hours long. */
const MOST_UNTRIED = 15

/** Does a job and says how it ended. Never fails. */
export async function endOf(task: Task): Promise<JobEnd> {
  const { job, handler, call, signal, progress } = task
  const { environment } = call
  try {
    const result = await handler.run(job, { call, signal, progress })
    return { ...placeOf(job), state: 'succeeded', at: environment.clock.now(), error: null, result }
  } catch (error) {
    return endOfFailed(task, error)
  }
}

function endOfFailed({ job, handler, call, signal, isStopping }: Task, error: unknown): JobEnd {
  const { clock, log } = call.environment
  const now = clock.now()
  const failure = failureOf(error)
  if (signal.aborted && !failure) {
    const state = isStopping() && job.attempts < job.maxAttempts ? 'queued' : 'cancelled'
    return { ...placeOf(job), state, at: now, error: null, result: null }
  }
  const unsaid = unsaidOf(failure, error)
  if (unsaid) log.write('error', 'job.failed', { job: job.id, kind: job.kind, message: messageOf(unsaid) })
  const { message, result, isFinal, isUntried } = failure ?? unexplained
  if (isFinal || job.attempts >= (isUntried ? MOST_UNTRIED : job.maxAttempts))
    return { ...placeOf(job), state: 'failed', at: now, error: message, result }
  const wait = handler.waits ?? doubling
  return { ...placeOf(job), state: 'queued', at: now + wait(job.attempts), error: message, result }
}

const unexplained = new JobFailed('It failed on our side: the log says why, under the id of the job.')

/** What failed for a reason that may be told; null for anything else. What an operation refuses it refuses the next time, too. */
function failureOf(error: unknown): JobFailed | null {
  if (error instanceof JobFailed) return error
  if (!(error instanceof QuireError) || error.status >= 500) return null
  return new JobFailed(told(error).message, { isFinal: true, cause: error })
}

/** What nobody has put into words for people. */
function unsaidOf(failure: JobFailed | null, error: unknown): unknown {
  if (!failure) return error
  return failure.isUntried ? failure.cause : null
}

function placeOf({ id, lease }: Job): Pick<JobEnd, 'id' | 'lease'> {
  return { id, lease }
}

function doubling(attempts: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
