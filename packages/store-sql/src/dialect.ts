import type { Column, SQL, SQLWrapper, Table } from 'drizzle-orm'
import type { SqlPart } from './query/sql-part.ts'
import type { NamedColumns } from './row-of.ts'
import type { Sought } from './search/sought.ts'
import type * as allTables from './tables.ts'

/** The tables, with the names that all dialects share. */
export type Tables = typeof allTables

/** A query as text with its parameters in order; placeholders stand among them unfilled. */
interface QueryText {
  readonly sql: string
  readonly params: readonly unknown[]
}

/** Rows that are no table's. */
interface OtherRows {
  /** What to select from. */
  readonly from: SQL
  /** The member at `index` of each row. */
  readonly member: (index: number) => SQL
}

/** Where the SQL of two databases differs; everything else is written once. */
export interface Dialect {
  readonly tables: Tables
  readonly compile: (query: SQL) => QueryText
  /** Joins so that the left side is walked in its order and the right side looked up for each row. */
  readonly joinInOrder: SQL
  /** Ends a look-up that is made for each row, whatever the number of rows is thought to be. */
  readonly forEachRow: SQL
  /** Whether `expression`, a text, is one of the members of `list`, a JSON array of texts. */
  readonly anyOf: (expression: SQLWrapper, list: SQLWrapper) => SQL
  /** The same of whole numbers. */
  readonly anyNumberOf: (expression: SQLWrapper, list: SQLWrapper) => SQL
  /** `list`, a JSON array of arrays of texts, as rows. */
  readonly rowsOf: (list: SQLWrapper) => OtherRows
  /** What `SELECT columns rest` gives, made anew for each row of the left side of a join, which `rest` may look at. */
  readonly lateral: (columns: readonly Column[], rest: SQL) => OtherRows
  /** Where `needle` (ASCII letters already small) is in `text`, ignoring the case of ASCII letters: from 1, 0 when absent. */
  readonly positionOf: (text: SQLWrapper, needle: SQLWrapper) => SQL
  /** `text` without its first character. */
  readonly withoutFirst: (text: SQLWrapper) => SQL
  /** As `insertInto`; a row of the same key goes. */
  readonly replaceInto: (table: Table, columns: NamedColumns) => SQL
  /** What gives a row of `search_rows` a number above all others, in an update of it. */
  readonly nextRow: SQL
  /** Whether the search row holds what is sought. */
  readonly holds: (sought: Sought) => SqlPart
  /** The words of the index in some ranges, a JSON array of pairs of a first and an end, with how many rows hold each: columns `word` and `rows`. */
  readonly vocabulary: (ranges: SQLWrapper) => SQL
  /** The rows that the index has words of, looked up without a look at the words: a table of one column `row`. */
  readonly indexedRows: SQL
  /** One row of two columns: the bytes of the inverted index, and the blocks that it is kept in. */
  readonly indexSize: SQL
}
