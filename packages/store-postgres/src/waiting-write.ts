import type { RowWrite, SqlValues } from '@quire/store-sql'

/** A prepared write. */
export interface WriteStatement {
  /** Unique among the statements of a connection. */
  readonly number: number
  readonly rows: RowWrite
}

/** A run of a write that waits. */
export interface WaitingWrite {
  readonly statement: WriteStatement
  /** The names of the tables that it reads or writes. */
  readonly tables: ReadonlySet<string>
  readonly values: SqlValues
}

/** Runs of a write that can be one statement, in the order in which they were given. */
export interface WriteGroup {
  readonly statement: WriteStatement
  readonly runs: readonly SqlValues[]
}
