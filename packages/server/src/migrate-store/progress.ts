/** A part of a migration. */
export interface Part {
  /** What is done: `copying rows`. */
  readonly name: string
  readonly unit: 'rows' | 'bytes' | 'steps'
  /** How much there is to do, of which an earlier call did some. */
  readonly total: number
  readonly before: number
}

/** Told how a migration goes. */
export interface MigrationListener {
  begin(part: Part): void
  /** So much more was done, of what is named. */
  moved(amount: number, what: string): void
  end(): void
}
