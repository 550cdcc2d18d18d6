/** Values that expire: idempotency keys, rate counts, page diffs, sessions. */
export interface EphemeraReader {
  /**
   * Null when absent or expired. A value is gone from `expires` (Unix ms) on, that is when `now` ≥
   * `expires`. A count is returned as decimal digits.
   */
  get(key: string, now: number): Promise<string | null>
}

/** Writes of expiring values inside a transaction. */
export interface EphemeraWriter extends EphemeraReader {
  /** Stores `value` until `expires` (Unix ms), replacing any earlier value. */
  put(key: string, value: string, expires: number): Promise<void>
  /**
   * Removes the value and returns it; null when absent or expired. Concurrent calls: exactly one
   * gets the value.
   */
  take(key: string, now: number): Promise<string | null>
  /**
   * Adds one to a count that starts at 0 and expires at `expires` (set by the first call); returns
   * the new count. A key holds either a value or a count, never both.
   */
  increment(key: string, now: number, expires: number): Promise<number>
  /** Deletes values that expired before `now`, at most `limit`; returns how many. */
  sweep(now: number, limit: number): Promise<number>
}
