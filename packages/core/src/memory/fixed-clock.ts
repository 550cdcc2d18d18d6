import type { Clock } from '../ports/index.ts'

/** The default start of fixed clocks: 2025-06-15T12:00:00Z in Unix ms. */
export const testStart = 1_749_988_800_000

/** A clock that stands still until it is advanced. */
export interface FixedClock extends Clock {
  /** Advances the time by `ms` milliseconds and returns the new time. */
  advance(ms: number): number
}

/** Creates a clock that shows `start` (Unix ms) until `advance` is called. */
export function fixedClock(start: number = testStart): FixedClock {
  let now = start
  return {
    now: () => now,
    advance: (ms) => (now += ms),
  }
}
