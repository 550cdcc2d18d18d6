import { hasRoom } from '../../engine/room.ts'
import { nextLoop } from '../../engine/event-loop.ts'
import type { Job, JobClaim, JobEnd, JobProgress } from '../../ports/index.ts'
import { createLeases, type Leases } from './leases.ts'
import type { WorkerParts } from './worker-parts.ts'
import type { Call } from '../../engine/call.ts'
import { QuireError, reported } from '@quire/contract'
import { isRefusal } from '../../engine/errors.ts'
import { JobFailed, type JobHandler } from '../../engine/job.ts'

/** Does what is queued. Any number of them, in any number of processes, may work on one store. */
export interface Worker {
  /** Looks for jobs in the next turn of the thread. Cost: none while it is looking. */
  wake(): void
  /** Also looks by itself: for what becomes due, what other processes queue, and jobs whose worker is gone. */
  start(): void
  /** Begins nothing more, asks what can be begun again to end, and waits for all that is under way: for the rest at most 10 s. */
  stop(): Promise<void>
  /** Resolves when nothing that is due is left to do, and what is done beside has ended. */
  settled(): Promise<void>
}

/**
 * Ms between looks of a worker that was started. At twice, what another process queues waits twice as long; each look is one read by index
 * for each subject that waits.
 */
const LOOK_MS = 1000

/** Ms that a stop leaves to what can be begun but once (TRUST F08): a delivery takes no longer. */
const GRACE_MS = 10_000

/** Ms between what is done beside. */
const BESIDE_MS = 60_000

/** A worker that has not begun. */
export function createWorker(parts: WorkerParts): Worker {
  const state: State = {
    ...parts,
    underWay: new Map(),
    ended: [],
    leases: createLeases(parts),
    isStopping: false,
  }
  let looking: Promise<void> | undefined
  let isAsked = false
  let timers: readonly ReturnType<typeof setInterval>[] = []
  let storing: Promise<void> | undefined
  const wake = () => {
    if (looking) {
      isAsked = true
      return
    }
    // What ends in this turn is kept with it: a commit each would take more of the thread than the jobs themselves.
    looking = nextLoop()
      .then(() => {
        // Who woke meanwhile is looked after by this round.
        isAsked = false
        return round(state, wake)
      })
      .catch(parts.report)
      .finally(() => {
        looking = undefined
        if (isAsked) wake()
      })
  }
  const settled = async () => {
    for (;;) {
      const jobs = [...state.underWay.values()].map(({ done }) => done)
      const left = [looking, storing, ...jobs].filter((one) => one !== undefined)
      if (left.length === 0) return
      await Promise.all(left)
    }
  }
  return {
    wake,
    settled,
    start() {
      if (timers.length > 0) return
      const look = () => {
        void state.leases.look().catch(parts.report)
        wake()
      }
      const retain = () => {
        storing ??= parts
          .beside?.()
          .catch(parts.report)
          .finally(() => {
            storing = undefined
          })
      }
      timers = [every(LOOK_MS, look), every(BESIDE_MS, retain)]
      retain()
      wake()
    },
    async stop() {
      state.isStopping = true
      for (const timer of timers) clearInterval(timer)
      for (const { job, abort } of state.underWay.values()) if (job.maxAttempts > 1) abort.abort()
      const late = setTimeout(() => {
        for (const { abort } of state.underWay.values()) abort.abort()
      }, GRACE_MS)
      await settled()
      clearTimeout(late)
    },
  }
}

/** A timer that keeps no process alive. */
function every(ms: number, run: () => void): ReturnType<typeof setInterval> {
  const timer = setInterval(run, ms)
  if (typeof timer === 'object' && 'unref' in timer) timer.unref()
  return timer
}

/** A job that is being done here. */
interface UnderWay {
  readonly job: Job
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface State extends WorkerParts {
  readonly underWay: Map<string, UnderWay>
  /** What has ended and is not kept yet. */
  ended: JobEnd[]
  readonly leases: Leases
  isStopping: boolean
}

/** One transaction for everything: keeps what has ended and begins what is due. */
async function round(state: State, wake: () => void): Promise<void> {
  const due = state.isStopping ? [] : await dueKinds(state)
  if (due.length === 0 && state.ended.length === 0) return
  const { ended } = state
  state.ended = []
  const begun = await scheduleAndClaim(state, { ended, due }).catch((error: unknown) => {
    state.ended.unshift(...ended)
    throw error
  })
  for (const job of begun) begin(state, job, wake)
  // What was put back may be due at once.
  if (begun.length > 0 || ended.some((end) => end.state === 'queued')) wake()
}

async function scheduleAndClaim(
  { callOf }: State,
  { ended, due }: { ended: readonly JobEnd[]; due: readonly JobClaim[] },
): Promise<readonly Job[]> {
  return callOf(null).write(async ({ store: { jobs } }) => {
    for (const end of ended) await jobs.finish(end)
    const begun: Job[] = []
    for (const claim of due) begun.push(...(await jobs.claim(claim)))
    return begun
  })
}

/** The kinds that have both something due and a free place. */
async function dueKinds({ store, handlers, underWay, callOf }: State): Promise<readonly JobClaim[]> {
  const call = callOf(null)
  const next = await store.jobs.nextDue([...handlers.keys()])
  const due: JobClaim[] = []
  for (const [kind, handler] of handlers) {
    const busy = [...underWay.values()].map(({ job }) => job).filter((job) => job.kind === kind)
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

function begin(state: State, job: Job, wake: () => void): void {
  const abort = new AbortController()
  const handler = state.handlers.get(job.kind)
  if (!handler) throw new TypeError(`A job of the kind ${job.kind} was claimed that nobody does.`)
  const watched = state.leases.hold(job, abort)
  if (job.isCancelling) abort.abort()
  const done = endOf({
    job,
    handler,
    signal: abort.signal,
    call: state.callOf(job),
    progress: watched.progress,
    isStopping: () => state.isStopping,
  })
    .then((end) => void state.ended.push(end))
    .catch(state.report)
    .finally(() => {
      watched.letGo()
      state.underWay.delete(job.id)
      wake()
    })
  state.underWay.set(job.id, { job, abort, done })
}

/** A job that is to be done. */
interface Task {
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
async function endOf(task: Task): Promise<JobEnd> {
  const { job, handler, call, signal, progress } = task
  const { environment } = call
  try {
    const result = await handler.run(job, { call, signal, progress })
    return { ...slotsOf(job), state: 'succeeded', at: environment.clock.now(), error: null, result }
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
    return { ...slotsOf(job), state, at: now, error: null, result: null }
  }
  const unsaid = unsaidOf(failure, error)
  if (unsaid) log.write('error', 'job.failed', { job: job.id, kind: job.kind, message: messageOf(unsaid) })
  const { message, result, isFinal, isUntried } = failure ?? unexplained
  if (isFinal || job.attempts >= (isUntried ? MOST_UNTRIED : job.maxAttempts))
    return { ...slotsOf(job), state: 'failed', at: now, error: message, result }
  const wait = handler.waits ?? doubling
  return { ...slotsOf(job), state: 'queued', at: now + wait(job.attempts), error: message, result }
}

const unexplained = new JobFailed('It failed on our side: the log says why, under the id of the job.')

/** What failed for a reason that may be told; null for anything else. What an operation refuses it refuses the next time, too. */
function failureOf(error: unknown): JobFailed | null {
  if (error instanceof JobFailed) return error
  if (!(error instanceof QuireError) || !isRefusal(error)) return null
  return new JobFailed(reported(error).message, { isFinal: true, cause: error })
}

/** What nobody has put into words for people. */
function unsaidOf(failure: JobFailed | null, error: unknown): unknown {
  if (!failure) return error
  return failure.isUntried ? failure.cause : null
}

function slotsOf({ id, lease }: Job): Pick<JobEnd, 'id' | 'lease'> {
  return { id, lease }
}

function doubling(attempts: number): number {
  return Math.min(FIRST_WAIT * 2 ** (attempts - 1), LONGEST_WAIT)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
