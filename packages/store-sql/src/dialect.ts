import type { Column, SQL, SQLWrapper, Table } from 'drizzle-orm'
import type { SqlPart } from './query/sql-part.ts'
import type { NamedColumns } from './row-of.ts'
import type { RowWrite } from './row-write.ts'
import type { Sought } from './search/sought.ts'
import type * as allTables from './tables.ts'

/** The tables; all dialects use the same names. */
export type Tables = typeof allTables

/** A query as text with its parameters in order; placeholders are not filled yet. */
interface QueryText {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** Rows that do not come from a table. */
interface OtherRows {
  /** The expression for `FROM`. */
  readonly from: SQL
  /** The column at `index`. */
  readonly member: (index: number) => SQL
}

/** The differences between the SQL of the databases; everything else is written once. */
export interface Dialect {
  readonly tables: Tables
  readonly compile: (query: SQL) => QueryText
  /** A join that walks the left side in its order and looks up the right side for each row. */
  readonly joinInOrder: SQL
  /** Ends a subquery that must be run for each row, whatever the planner estimates. */
  readonly forEachRow: SQL
  /** Whether `expression`, a text, is in `list`, a JSON array of texts. */
  readonly anyOf: (expression: SQLWrapper, list: SQLWrapper) => SQL
  /** Like `anyOf`, for integers. */
  readonly anyNumberOf: (expression: SQLWrapper, list: SQLWrapper) => SQL
  /** Turns `list`, a JSON array of arrays of texts, into rows. */
  readonly rowsOf: (list: SQLWrapper) => OtherRows
  /**
   * `SELECT columns rest` as a lateral join: run for each row of the left side, which `rest` may
   * refer to.
   */
  readonly lateral: (columns: readonly Column[], rest: SQL) => OtherRows
  /**
   * The position of `needle` (its ASCII letters already lower case) in `text`, ignoring the case of
   * ASCII letters. Positions start at 1; 0 when absent.
   */
  readonly positionOf: (text: SQLWrapper, needle: SQLWrapper) => SQL
  /** `text` without its first character. */
  readonly withoutFirst: (text: SQLWrapper) => SQL
  /** Like `insertInto`, but replaces a row with the same key. */
  readonly replaceInto: (table: Table, columns: NamedColumns) => SQL | RowWrite
  /** Whether other processes write to the same tables. */
  readonly isShared: boolean
  /** Ends a query: keeps the rows that it reads as they are until the end of the transaction. */
  readonly unmoved: SQL
  /** Whether a deleted row leaves its space and its entries in indexes behind, until they are cleaned up. */
  readonly leavesDeadRows: boolean
  /** The number of the next new head. */
  readonly nextHead: SQL
  /** The number of the next row of `search_rows`, above all others. */
  readonly nextRow: SQL
  /** Whether a row of the search index matches. */
  readonly holds: (sought: Sought) => SqlPart
  /**
   * The words of the index within `ranges`, a JSON array of `[first, end)` pairs. Columns: `word`,
   * and `rows`, the number of rows that contain it.
   */
  readonly vocabulary: (ranges: SQLWrapper) => SQL
  /** The rows that have words in the index, read without reading the words. One column: `row`. */
  readonly indexedRows: SQL
  /** One row of two columns: the size of the inverted index in bytes, and in blocks. */
  readonly indexSize: SQL
}
