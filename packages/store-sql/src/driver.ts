import type { SQL } from 'drizzle-orm'

/** What a column holds on its way in and out. */
export type SqlValue = string | number | null

/** A row as the driver gives it: the selected columns in order, nothing mapped. */
export type Row = readonly SqlValue[]

/** The values of a statement's placeholders, by name. */
export type SqlValues = Readonly<Record<string, SqlValue>>

/** A statement compiled once. `R` names the columns that it selects. */
export interface Prepared<R extends Row> {
  /** Every row. A driver that reads them one by one may end with the one that brings their texts to more characters than `mostText`. */
  all(values?: SqlValues, mostText?: number): Promise<R[]>
  /** The first row; undefined when there is none. */
  get(values?: SqlValues): Promise<R | undefined>
  /** Runs a write; the number of rows it changed. */
  run(values?: SqlValues): Promise<number>
  /**
   * Runs a write whose number of rows nobody asks for. May resolve before it ran: statements run in the order in which they were given, and what it fails with
   * is then told by one that comes after it, by the end of the savepoint at the latest.
   */
  send(values?: SqlValues): Promise<void>
}

/**
 * When a database that weighs plans by its statistics makes the plan of a statement: `once` where every value is alike to it, `eachRun` where a rare value and a
 * frequent one are best found in different ways.
 */
export type Planned = 'once' | 'eachRun'

/** The little that the ports need of a connection. Errors: StoreUnavailable for what the database cannot do now. */
export interface SqlDriver {
  /** Compiles on first use; the statement lives as long as the connection. Planned once if nothing is said. */
  prepare<R extends Row>(query: SQL, planned?: Planned): Prepared<R>
}

/** A driver that writes: the one connection of a transaction. */
export interface SqlWriteDriver extends SqlDriver {
  /** Runs `work` so that its writes alone are undone when it throws; the error is passed on. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}
