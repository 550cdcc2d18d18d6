/** One thing that was looked at. */
export interface Check {
  readonly name: string
  /** `note`: worth knowing, or could not be looked at now; no fault. */
  readonly outcome: 'ok' | 'note' | 'fault'
  /** What was seen, and for a fault what to do. */
  readonly message: string
  /** The files that it is about, by SHA-256. */
  readonly hashes?: readonly string[]
}

/** A check that found nothing wrong. */
export function ok(name: string, message: string): Check {
  return { name, outcome: 'ok', message }
}

/** A check that found something worth knowing. */
export function note(name: string, message: string): Check {
  return { name, outcome: 'note', message }
}

/** A check that found something to put right. */
export function fault(name: string, message: string): Check {
  return { name, outcome: 'fault', message }
}
