import type { OutboundFailure, OutboundRequest } from '@quire/core/ports'
import { aborted, late } from './failures.ts'

/** A running request, until its response is complete or it failed. */
export interface Trip {
  /** Aborts with an OutboundFailure as its reason. */
  readonly signal: AbortSignal
  fail(failure: OutboundFailure): void
  /**
   * Awaits `work` within the time limit for connecting. Errors: those of `work`; the reason of the
   * signal, which is aborted when the time is over.
   */
  connecting<T>(work: Promise<T>): Promise<T>
  /** Releases its timers and the signal that it was given. */
  end(): void
}

type TripTimes = Pick<OutboundRequest, 'connectMs' | 'totalMs' | 'signal'>

/** Starts a trip and its time limit. */
export function beginTrip({ connectMs, totalMs, signal: given }: TripTimes): Trip {
  const controller = new AbortController()
  const { signal } = controller
  const fail = (failure: OutboundFailure) => controller.abort(failure)
  const stop = () => fail(aborted('The request was canceled.', given?.reason))
  const timer = setTimeout(() => fail(late('answer', totalMs)), totalMs)
  given?.addEventListener('abort', stop, { once: true })
  if (given?.aborted) stop()
  return {
    signal,
    fail,
    async connecting(work) {
      const connectTimer = setTimeout(() => fail(late('connection', connectMs)), connectMs)
      try {
        return await unlessAborted(signal, work)
      } finally {
        clearTimeout(connectTimer)
      }
    },
    end() {
      clearTimeout(timer)
      given?.removeEventListener('abort', stop)
    },
  }
}

/**
 * Awaits `work` until the signal aborts. After that, `work` continues but its result is ignored.
 * Errors: those of `work`, the reason of the signal.
 */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const end = Promise.withResolvers<never>()
  const stop = () => end.reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, end.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
