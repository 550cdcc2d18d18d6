import type { SQL } from 'drizzle-orm'
import type { KeyedRead } from './keyed-read.ts'
import type { RowWrite } from './row-write.ts'

/** A value of a column, read or written. */
export type SqlValue = string | number | null

/** A row as the driver returns it: the selected columns in order, not mapped. */
export type Row = readonly SqlValue[]

/** The values of a statement's placeholders, by name. */
export type SqlValues = Readonly<Record<string, SqlValue>>

/** A compiled statement. `R` is the row that it selects. */
export interface Prepared<R extends Row> {
  /**
   * All rows. A driver that reads them one by one may stop after the row that brings their texts
   * above `mostText` characters.
   */
  all(values?: SqlValues, mostText?: number): Promise<R[]>
  /** The first row; undefined when there is none. */
  get(values?: SqlValues): Promise<R | undefined>
  /** Runs a write and returns the number of changed rows. */
  run(values?: SqlValues): Promise<number>
  /**
   * Runs a write whose row count is not needed. May resolve before the write ran; it runs before
   * statements that it affects. An error is thrown by a later statement, at the latest by the
   * commit, which then fails as a whole.
   */
  send(values?: SqlValues): Promise<void>
}

/**
 * When a database with a cost-based planner plans a statement. `once`: one plan suits all values.
 * `eachRun`: rare and frequent values need different plans.
 */
export type Planned = 'once' | 'eachRun'

/** A statement to prepare. A driver may run what it knows more about at a better time. */
export type Query<R extends Row = Row> = SQL | RowWrite | KeyedRead<R>

/**
 * What the ports need from a connection. Errors: StoreUnavailable when the database cannot run a
 * statement now.
 */
export interface SqlDriver {
  /**
   * Compiles on first use; the statement lives as long as the connection. The default for `planned`
   * is `once`.
   */
  prepare<R extends Row>(query: Query<R>, planned?: Planned): Prepared<R>
}

/** A driver that writes, on the connection of the transaction. */
export interface SqlWriteDriver extends SqlDriver {
  /**
   * Runs `work` in a savepoint. When it throws, only its writes are rolled back and the error is
   * rethrown.
   */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}
