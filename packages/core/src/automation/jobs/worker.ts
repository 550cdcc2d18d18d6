import { hasRoom } from '../../engine/room.ts'
import { nextLoop } from '../../engine/event-loop.ts'
import type { Job, JobClaim, JobEnd, JobProgress } from '../../ports/index.ts'
import { createLeases, type Leases } from './leases.ts'
import type { WorkerParts } from './worker-parts.ts'
import type { Call } from '../../engine/call.ts'
import { QuireError, reported } from '@quire/contract'
import { isRefusal } from '../../engine/errors.ts'
import { JobFailed, type JobHandler } from '../../engine/job.ts'
import { noTrace, withActiveTrace } from '../../engine/trace.ts'
import { runJob } from './run-job.ts'

/** Runs queued jobs. Any number of workers, in any number of processes, can share one store. */
export interface Worker {
  /**
   * Looks for jobs in the next turn of the event loop. Costs nothing while a look is in progress.
   */
  wake(): void
  /**
   * Also polls from now on, for jobs that become due, jobs queued by other processes, and jobs
   * whose worker is gone.
   */
  start(): void
  /**
   * Starts no more jobs, aborts those that may be attempted again, and waits for all running jobs
   * to end. After 10 s it aborts the remaining ones as well.
   */
  stop(): Promise<void>
  /** Resolves when no job is running or due, and no maintenance is in progress. */
  settled(): Promise<void>
}

/**
 * Milliseconds between polls of a worker that was started. At twice, jobs queued by other processes
 * wait twice as long. Each poll reads an index once for each subject with queued jobs.
 */
const POLL_MS = 1000

/**
 * Milliseconds that a stop gives to jobs with one attempt (TRUST F08). A delivery takes no longer.
 */
const GRACE_MS = 10_000

/** Milliseconds between calls of `maintain`. */
const MAINTAIN_MS = 60_000

/** Creates a worker that is not started: until then it looks for jobs only when it is woken. */
export function createWorker(parts: WorkerParts): Worker {
  const state: State = {
    ...parts,
    active: new Map(),
    ended: [],
    leases: createLeases(parts),
    isStopping: false,
  }
  let looking: Promise<void> | undefined
  let wakeAgain = false
  let timers: readonly ReturnType<typeof setInterval>[] = []
  let maintaining: Promise<void> | undefined
  const wake = () => {
    if (looking) {
      wakeAgain = true
      return
    }
    // Jobs that end in the same turn are stored in one commit. A commit for each would cost more
    // than the jobs themselves. The call that wakes the worker has no part in that.
    looking = withActiveTrace(noTrace, nextLoop)
      .then(() => {
        // This round covers everything that was queued before it begins.
        wakeAgain = false
        return round(state, wake)
      })
      .catch(parts.report)
      .finally(() => {
        looking = undefined
        if (wakeAgain) wake()
      })
  }
  const settled = async () => {
    for (;;) {
      const jobs = [...state.active.values()].map(({ done }) => done)
      const left = [looking, maintaining, ...jobs].filter((one) => one !== undefined)
      if (left.length === 0) return
      await Promise.all(left)
    }
  }
  return {
    wake,
    settled,
    start() {
      if (timers.length > 0) return
      const poll = () => {
        void state.leases.check().catch(parts.report)
        wake()
      }
      const maintain = () => {
        maintaining ??= parts
          .maintain?.()
          .catch(parts.report)
          .finally(() => {
            maintaining = undefined
          })
      }
      timers = [every(POLL_MS, poll), every(MAINTAIN_MS, maintain)]
      maintain()
      wake()
    },
    async stop() {
      state.isStopping = true
      for (const timer of timers) clearInterval(timer)
      for (const { job, abort } of state.active.values()) if (job.maxAttempts > 1) abort.abort()
      const late = setTimeout(() => {
        for (const { abort } of state.active.values()) abort.abort()
      }, GRACE_MS)
      await settled()
      clearTimeout(late)
    },
  }
}

/** Starts a timer that does not keep the process alive. */
function every(ms: number, run: () => void): ReturnType<typeof setInterval> {
  const timer = setInterval(run, ms)
  if (typeof timer === 'object' && 'unref' in timer) timer.unref()
  return timer
}

/** A job that this worker is running. */
interface ActiveJob {
  readonly job: Job
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface State extends WorkerParts {
  readonly active: Map<string, ActiveJob>
  /** Jobs that have ended and whose end is not stored yet. */
  ended: JobEnd[]
  readonly leases: Leases
  isStopping: boolean
}

/** Stores the ends of jobs and starts due jobs, in one transaction. */
async function round(state: State, wake: () => void): Promise<void> {
  const due = state.isStopping ? [] : await dueKinds(state)
  if (due.length === 0 && state.ended.length === 0) return
  const { ended } = state
  state.ended = []
  const claimed = await finishAndClaim(state, { ended, due }).catch((error: unknown) => {
    state.ended.unshift(...ended)
    throw error
  })
  for (const job of claimed) start(state, job, wake)
  // A job that was queued again may be due at once.
  if (claimed.length > 0 || ended.some((end) => end.state === 'queued')) wake()
}

async function finishAndClaim(
  { callOf }: State,
  { ended, due }: { ended: readonly JobEnd[]; due: readonly JobClaim[] },
): Promise<readonly Job[]> {
  return callOf(null).write(async ({ store: { jobs } }) => {
    for (const end of ended) await jobs.finish(end)
    const claimed: Job[] = []
    for (const claim of due) claimed.push(...(await jobs.claim(claim)))
    return claimed
  })
}

/** One claim for each kind that has both a due job and a free slot. */
async function dueKinds({ store, handlers, active, callOf }: State): Promise<readonly JobClaim[]> {
  const call = callOf(null)
  const next = await store.jobs.nextDue([...handlers.keys()])
  const due: JobClaim[] = []
  for (const [kind, handler] of handlers) {
    const busy = [...active.values()].map(({ job }) => job).filter((job) => job.kind === kind)
    const limit = handler.slots - (handler.inUse?.() ?? busy.length)
    if (limit <= 0) continue
    const dueAt = next.get(kind)
    if (dueAt === undefined || dueAt > call.now) continue
    if (handler.adds === true && !(await hasRoom(store))) continue
    const except = (await handler.except?.(call, busy)) ?? []
    due.push({ kind, now: call.now, limit, each: handler.each, except })
  }
  return due
}

function start(state: State, job: Job, wake: () => void): void {
  const abort = new AbortController()
  const handler = state.handlers.get(job.kind)
  if (!handler) throw new TypeError(`A job of kind ${job.kind} was claimed, which has no handler.`)
  const lease = state.leases.hold(job, abort)
  if (job.isCancelling) abort.abort()
  const done = runTask({
    job,
    handler,
    signal: abort.signal,
    call: state.callOf(job),
    progress: lease.progress,
    isStopping: () => state.isStopping,
  })
    .then((end) => void state.ended.push(end))
    .catch(state.report)
    .finally(() => {
      lease.release()
      state.active.delete(job.id)
      wake()
    })
  state.active.set(job.id, { job, abort, done })
}

/** A job with all that is needed to run it. */
interface Task {
  readonly job: Job
  readonly handler: JobHandler
  readonly call: Call
  readonly signal: AbortSignal
  readonly progress: (progress: JobProgress) => void
  /**
   * Whether the worker is stopping. A job that was aborted for this reason is queued again for
   * another worker.
   */
  readonly isStopping: () => boolean
}

/** Milliseconds before the second attempt. The wait doubles before each further one. */
const FIRST_WAIT = 10_000

/** The longest wait before an attempt, in milliseconds. */
const LONGEST_WAIT = 60 * 60 * 1000

/** Attempts of a job that fails before it has done anything. They span about six hours. */
const MOST_UNTRIED = 15

/** Runs a job and returns how it ended. Never throws. */
async function runTask(task: Task): Promise<JobEnd> {
  const { job, handler, call, signal, progress } = task
  const { environment } = call
  try {
    const result = await runJob(job, handler, { call, signal, progress })
    return { ...claimOf(job), state: 'succeeded', at: environment.clock.now(), error: null, result }
  } catch (error) {
    return failedEnd(task, error)
  }
}

function failedEnd({ job, handler, call, signal, isStopping }: Task, error: unknown): JobEnd {
  const { clock, log } = call.environment
  const now = clock.now()
  const failure = findReason(error)
  if (signal.aborted && !failure) {
    const state = isStopping() && job.attempts < job.maxAttempts ? 'queued' : 'cancelled'
    return { ...claimOf(job), state, at: now, error: null, result: null }
  }
  const unexpected = unexpectedError(failure, error)
  if (unexpected)
    log.write('error', 'job.failed', { job: job.id, kind: job.kind, message: messageOf(unexpected) })
  const { message, result, isFinal, isUntried } = failure ?? unexplained
  if (isFinal || job.attempts >= (isUntried ? MOST_UNTRIED : job.maxAttempts))
    return { ...claimOf(job), state: 'failed', at: now, error: message, result }
  const wait = handler.waits ?? doubling
  return { ...claimOf(job), state: 'queued', at: now + wait(job.attempts), error: message, result }
}

const unexplained = new JobFailed(
  'The job failed because of an internal error. Search the log for its id to see the cause.',
)

/**
 * The reason for a failure that users may see; null for any other error. A rejection by an
 * operation is final, because the operation would reject the next attempt, too.
 */
function findReason(error: unknown): JobFailed | null {
  if (error instanceof JobFailed) return error
  if (!(error instanceof QuireError) || !isRefusal(error)) return null
  return new JobFailed(reported(error).message, { isFinal: true, cause: error })
}

/** The error to log because the job's message does not explain it; null if there is none. */
function unexpectedError(failure: JobFailed | null, error: unknown): unknown {
  if (!failure) return error
  return failure.isUntried ? failure.cause : null
}

function claimOf({ id, lease }: Job): Pick<JobEnd, 'id' | 'lease'> {
  return { id, lease }
}

function doubling(attempts: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
