/** A callback by its comment, and whether it was acknowledged. */
export interface ReportedEntry {
  readonly packageName: string
  readonly comment: string
  isAcknowledged: boolean
}

/** What a reviewer and the engine did with a package. */
export interface Reviewed {
  readonly packageName: string
  /**
   * The reviewer's actions, in order. Each was requested once, and was acknowledged or observed in
   * the end.
   */
  readonly wanted: string[]
  /** Why the review could not be completed; null if it was. */
  stuck: string | null
}

/** Everything that the driver knows. */
export interface Ledger {
  readonly reviews: Reviewed[]
  readonly reported: ReportedEntry[]
}
