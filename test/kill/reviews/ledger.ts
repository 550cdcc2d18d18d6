/** What a callback tells of, by its comment, and whether it was acknowledged. */
export interface ReportedEntry {
  readonly packageName: string
  readonly comment: string
  isAcknowledged: boolean
}

/** What was done to a package, by its reviewer and its engine. */
export interface Reviewed {
  readonly packageName: string
  /** The actions that the reviewer did, in order: each was wanted once, and acknowledged or seen in the end. */
  readonly wanted: string[]
  /** Why it could not be brought to its end; null: it was. */
  stuck: string | null
}

/** All that the driver knows. */
export interface Ledger {
  readonly reviews: Reviewed[]
  readonly reported: ReportedEntry[]
}
