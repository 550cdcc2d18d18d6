import { monitorEventLoopDelay } from 'node:perf_hooks'
import { QuireError } from '@quire/contract'
import { createThreadTime, type ThreadTime } from './thread-time.ts'

/** The load above which the server refuses requests. */
export interface LoadLimits {
  /** Mean delay of the event loop over a second, in milliseconds. */
  readonly loopDelayMs: number
  /** Requests under way at the same time. */
  readonly inFlight: number
  /**
   * Milliseconds of the thread that one caller may take at once in long uses, while others are
   * active. Default: 250.
   */
  readonly callerMs?: number
}

/**
 * TRUST 4.2. At half the delay, a busy but healthy server sheds requests; at twice, callers wait a
 * second for a read of a millisecond.
 */
export const defaultLoadLimits: LoadLimits = { loopDelayMs: 250, inFlight: 1000 }

/** Counts the requests under way and watches the delay of the event loop. */
export interface Load {
  /** The time of the thread that callers used. */
  readonly time: ThreadTime
  /**
   * Admits a request and counts it until the returned function is called, when its response has
   * ended. Errors: `unavailable` under overload that no single caller is responsible for.
   */
  admit(): () => void
  /** `too_many_requests` for a caller who is responsible for an overload. */
  refusal(caller: string): QuireError | undefined
  /** Admits nothing more. Resolves when no request is under way any more. */
  close(): Promise<void>
  /** The number of requests under way. */
  underWay(): number
  /** The number of requests refused since the start. */
  shed(): number
}

// Resolution of the histogram. It reports this much too much, because every timer fires late.
const resolutionMs = 20
const windowMs = 1000
const retryAfterSeconds = 2

/** Starts watching this process. */
export function watchLoad({ loopDelayMs, inFlight, callerMs }: LoadLimits): Load {
  const histogram = monitorEventLoopDelay({ resolution: resolutionMs })
  histogram.enable()
  const time = createThreadTime()
  let underWay = 0
  let shed = 0
  let isLate = false
  let isClosed = false
  const timer = setInterval(() => {
    isLate = histogram.mean / 1e6 - resolutionMs > loopDelayMs
    histogram.reset()
  }, windowMs)
  timer.unref()
  const drained = Promise.withResolvers<void>()
  const leave = () => {
    underWay -= 1
    if (isClosed && underWay === 0) drained.resolve()
  }
  return {
    time,
    refusal: (caller) => time.refusal(caller, isLate ? 0 : callerMs),
    admit() {
      if (isClosed || (isLate && !time.refusesAny()) || underWay >= inFlight) {
        shed += 1
        throw new QuireError('unavailable', undefined, { details: { retryAfter: retryAfterSeconds } })
      }
      underWay += 1
      return leave
    },
    close() {
      isClosed = true
      clearInterval(timer)
      histogram.disable()
      if (underWay === 0) drained.resolve()
      return drained.promise
    },
    underWay: () => underWay,
    shed: () => shed,
  }
}
