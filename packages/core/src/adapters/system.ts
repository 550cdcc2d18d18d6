import { monotonicFactory } from 'ulid'
import { base64UrlOf } from './base64.ts'
import { type Clock, type Log, type Ids } from '../ports/index.ts'

/** The system clock. */
export function systemClock(): Clock {
  return { now: () => Date.now() }
}

/** A log that discards everything. */
export function silentLog(): Log {
  return { write: () => undefined }
}

/** Random ids that grow with the clock and, within one millisecond, with each call. */
export function randomIds(clock: Clock): Ids {
  const next = monotonicFactory(randomNumbers())
  return {
    next: (prefix) => `${prefix}_${next(clock.now())}`,
    secret: (bytes) => base64UrlOf(crypto.getRandomValues(new Uint8Array(bytes))),
  }
}

/**
 * Random numbers from 0 to below 1. They are drawn in batches: drawing one takes as long as drawing
 * hundreds.
 */
function randomNumbers(): () => number {
  const drawn = new Uint32Array(256)
  let used = drawn.length
  return () => {
    if (used === drawn.length) {
      crypto.getRandomValues(drawn)
      used = 0
    }
    return (drawn[used++] ?? 0) / 2 ** 32
  }
}
