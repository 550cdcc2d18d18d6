/** One thing that was looked at. */
export interface Check {
  readonly name: string
  /** `note`: could not be looked at now, which is no fault. */
  readonly outcome: 'ok' | 'note' | 'fault'
  /** What was seen, and for a fault what to do. */
  readonly message: string
}

/** A check that found nothing wrong. */
export function ok(name: string, message: string): Check {
  return { name, outcome: 'ok', message }
}

/** A check that found something to put right. */
export function fault(name: string, message: string): Check {
  return { name, outcome: 'fault', message }
}
