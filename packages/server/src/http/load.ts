import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { ServerResponse } from 'node:http'
import { QuireError } from '@quire/contract'
import { createThreadTime, type ThreadTime } from './thread-time.ts'

/** From when on the server refuses work that it could only do late. */
export interface LoadLimits {
  /** Mean delay of the event loop over a second, in milliseconds. */
  readonly loopDelayMs: number
  /** Requests under way at the same time. */
  readonly inFlight: number
}

/** TRUST 4.2. At half the delay a busy but healthy server sheds; at twice, callers wait a second for a read of a millisecond. */
export const defaultLoadLimits: LoadLimits = { loopDelayMs: 250, inFlight: 1000 }

/** Counts what is under way and watches how late the event loop is. */
export interface Load {
  /** What callers took of the thread's time. */
  readonly time: ThreadTime
  /**
   * Lets a request in and counts it until its response is closed. Errors: `unavailable` when there is too much to do, and nobody in
   * particular to answer for it.
   */
  admit(response: ServerResponse): void
  /** `too_many_requests` for whoever has to answer for it. */
  refusal(caller: string): QuireError | undefined
  /** From now on nothing more is let in. Resolves when nothing is under way any more. */
  close(): Promise<void>
  /** Requests that are under way, and those that were refused since the start. */
  underWay(): number
  shed(): number
}

// How fine the delay is measured; the histogram counts this much too much, as every timer fires late.
const resolutionMs = 20
const windowMs = 1000
const retryAfterSeconds = 2

/** Watches this process. */
export function watchLoad({ loopDelayMs, inFlight }: LoadLimits): Load {
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
    refusal: (caller) => (isLate ? time.refusal(caller, 0) : time.refusal(caller)),
    admit(response) {
      if (isClosed || (isLate && !time.refusesAny()) || underWay >= inFlight) {
        shed += 1
        throw new QuireError('unavailable', undefined, { details: { retryAfter: retryAfterSeconds } })
      }
      underWay += 1
      response.on('close', leave)
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
