/** The result of one check. */
export interface Check {
  readonly name: string
  /** `note`: worth knowing, or could not be checked now. Not a fault. */
  readonly outcome: 'ok' | 'note' | 'fault'
  /** What was found and, for a fault, what to do. */
  readonly message: string
  /** The SHA-256 of each affected file. */
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

/** A check that found something to fix. */
export function fault(name: string, message: string): Check {
  return { name, outcome: 'fault', message }
}
