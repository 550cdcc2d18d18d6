/**
 * By how many ms an entry may be older than the one before it and still get its date: calls begin in
 * another order than they are committed, and clocks of servers differ. At half, clocks that are
 * synchronized badly show; at twice, a clock that was wrong and set back shows for longer.
 */
export const mostBackMs = 5_000

/** The date of an entry after one with the date `newest`. */
export function dateInOrder(date: number, newest: number): number {
  return date < newest && newest < date + mostBackMs ? newest : date
}
