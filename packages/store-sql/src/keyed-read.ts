import type { SQL } from 'drizzle-orm'

/**
 * A read of rows by key. A driver whose writes wait may run it before writes of other rows, which it
 * does not depend on.
 */
export interface KeyedRead<R = unknown> {
  readonly query: SQL
  /** The names of the tables that the answer is made of. */
  readonly tables: readonly string[]
  /**
   * The names of values that the tables' `RowWrite`s also run with. A write that has other values for
   * all of these, or for which the read has null, does not change a final answer.
   */
  readonly by: readonly string[]
  /** Whether no other write can change the answer: for example, because no row was found. */
  isFinal(row: R | undefined): boolean
}

/** A read that finds its row by values that no write changes, so that each answer is final. */
export function readByKey(query: SQL, tables: readonly string[], by: readonly string[]): KeyedRead {
  return { query, tables, by, isFinal: () => true }
}
