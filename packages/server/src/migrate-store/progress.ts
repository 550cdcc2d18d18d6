/** A part of a migration. */
export interface Part {
  /** What the part does, such as `copying rows`. */
  readonly name: string
  readonly unit: 'rows' | 'bytes' | 'steps'
  /** The whole amount of work, of which an earlier call did `before`. */
  readonly total: number
  readonly before: number
}

/** Receives the progress of a migration. */
export interface MigrationListener {
  begin(part: Part): void
  /** Reports that `amount` more was done, most recently for `what`. */
  moved(amount: number, what: string): void
  end(): void
}
