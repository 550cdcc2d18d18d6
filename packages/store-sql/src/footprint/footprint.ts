/**
 * What a transaction has read and written, as keys. Two transactions that run at the same time are
 * in conflict if one writes a key that the other has read: then one of them is run again. So every
 * read of a transaction must name all keys whose writing could change its result, and every write
 * all keys that a read of it names. A key too many only repeats a transaction without need.
 */
export interface Footprint {
  read(...keys: readonly string[]): void
  write(...keys: readonly string[]): void
  /**
   * Waits until no other transaction holds the key, and holds it until the commit. For reads that
   * almost every transaction would be in conflict with.
   */
  hold(key: string): Promise<void>
}
