/** The three sides: what both started from, ours and theirs. */
export interface Sides<T> {
  readonly base: T
  readonly ours: T
  readonly theirs: T
}
