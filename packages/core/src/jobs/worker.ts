import { nextTurn } from '../call/turns.ts'
import type { Job, JobClaim, JobEnd } from '../ports/index.ts'
import { endOf } from './end.ts'
import { createLeases, type Leases } from './leases.ts'
import type { WorkerParts } from './worker-parts.ts'

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
  let keeping: Promise<void> | undefined
  const wake = () => {
    if (looking) {
      isAsked = true
      return
    }
    // What ends in this turn is kept with it: a commit each would take more of the thread than the jobs themselves.
    looking = nextTurn()
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
      const left = [looking, keeping, ...jobs].filter((one) => one !== undefined)
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
      const keep = () => {
        keeping ??= parts
          .beside?.()
          .catch(parts.report)
          .finally(() => {
            keeping = undefined
          })
      }
      timers = [every(LOOK_MS, look), every(BESIDE_MS, keep)]
      keep()
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
  const begun = await keepAndClaim(state, { ended, due }).catch((error: unknown) => {
    state.ended.unshift(...ended)
    throw error
  })
  for (const job of begun) begin(state, job, wake)
  // What was put back may be due at once.
  if (begun.length > 0 || ended.some((end) => end.state === 'queued')) wake()
}

async function keepAndClaim(
  { store }: State,
  { ended, due }: { ended: readonly JobEnd[]; due: readonly JobClaim[] },
): Promise<readonly Job[]> {
  return store.transaction(async (tx) => {
    for (const end of ended) await tx.jobs.finish(end)
    const begun: Job[] = []
    for (const claim of due) begun.push(...(await tx.jobs.claim(claim)))
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
    const limit = handler.places - (handler.taken?.() ?? busy.length)
    if (limit <= 0) continue
    const dueAt = next.get(kind)
    if (dueAt === undefined || dueAt > call.now) continue
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
