import type { Clock, Log } from '../ports/index.ts'

/** The clock of the machine. */
export function systemClock(): Clock {
  return { now: () => Date.now() }
}

/** A log that keeps nothing. */
export function silentLog(): Log {
  return { write: () => undefined }
}
