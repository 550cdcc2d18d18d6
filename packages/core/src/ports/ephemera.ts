/** Values that expire: idempotency keys, rate counts, page diffs, sessions. */
export interface EphemeraReader {
  /** Null when absent or expired: from `expires` on (`now` ≥ `expires`, Unix ms) a value is gone. A count reads as decimal digits. */
  get(key: string, now: number): Promise<string | null>
}

/** Writes of expiring values inside a transaction. */
export interface EphemeraWriter extends EphemeraReader {
  /** Keeps `value` until `expires` (Unix ms), replacing what was there. */
  put(key: string, value: string, expires: number): Promise<void>
  /** Removes and returns; null when absent or expired. Concurrent calls: exactly one gets the value. */
  take(key: string, now: number): Promise<string | null>
  /** Adds one to a count that starts at 0 and is forgotten at `expires` (set by the first); returns the new count. A key is used for a value or for a count, never both. */
  increment(key: string, now: number, expires: number): Promise<number>
  /** Removes what expired before `now`, at most `limit`; returns how many. */
  sweep(now: number, limit: number): Promise<number>
}
