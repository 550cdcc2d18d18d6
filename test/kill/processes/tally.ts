/** What the clients of a run saw. Counts go up as they see it. */
export interface Tally {
  /** Requests that were answered. */
  answered: number
  /** Requests that change something of which nobody knew, after a try, whether they took effect. */
  unknown: number
  /** Those of them that never got another answer. */
  unresolved: number
  /** Those of them that had taken effect at a try that was not answered, or refused. */
  effective: number
  /** Milliseconds of the slowest try that was answered, and of the slowest that was refused. */
  readonly slowest: { answered: number; refused: number }
  /** Milliseconds for which a process still showed rights or settings as they were before a change. */
  stale: number
  /** What must not be, a line each. */
  readonly findings: string[]
}

/** Nothing was seen yet. */
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
