import type { Clock } from '@quire/core/ports'

/** Where fixed clocks start unless told: 2025-06-15T12:00:00Z in Unix ms. */
export const testStart = 1_749_988_800_000

/** A clock that stands still until it is told to go on. */
export interface FixedClock extends Clock {
  /** Moves the time on by `ms` milliseconds and returns the new time. */
  advance(ms: number): number
}

/** Opens a clock that shows `start` (Unix ms) until `advance` is called. */
export function fixedClock(start: number = testStart): FixedClock {
  let now = start
  return {
    now: () => now,
    advance: (ms) => (now += ms),
  }
}
