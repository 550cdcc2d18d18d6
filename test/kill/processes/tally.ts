/** What the clients of a run observed. */
export interface Tally {
  /** Requests that were answered. */
  answered: number
  /** Mutations whose outcome was unknown after an attempt. */
  unknown: number
  /** Unknown mutations that never got an answer. */
  unresolved: number
  /**
   * Unknown mutations that had already taken effect in an attempt that was not answered, or was
   * answered with a refusal.
   */
  effective: number
  /** Milliseconds of the slowest successful attempt, and of the slowest refusal. */
  readonly slowest: { answered: number; refused: number }
  /**
   * The longest time in milliseconds for which a process still served permissions or settings from
   * before a change.
   */
  stale: number
  /** Violations, one per line. */
  readonly findings: string[]
}

/** A tally of zeros. */
export function startTally(): Tally {
  return {
    answered: 0,
    unknown: 0,
    unresolved: 0,
    effective: 0,
    slowest: { answered: 0, refused: 0 },
    stale: 0,
    findings: [],
  }
}
