import { type SQL, type Table, getTableName, sql } from 'drizzle-orm'
import { type NamedColumns, names } from './row-of.ts'

/** Where a write takes the values of its rows from. */
export interface RowSource {
  /** The value with the name of a placeholder. */
  readonly value: (name: string) => SQL
  /** The rows, for `FROM`; null for the one row whose values are the placeholders. */
  readonly from: SQL | null
}

/**
 * A write of one row, or of all rows with a key. A driver may run it for many rows at once, if no
 * other write to the table with the same key is between them.
 */
export interface RowWrite {
  /** The name of the table. */
  readonly table: string
  /** The columns whose types the placeholders have, by the names of the placeholders. */
  readonly columns: NamedColumns
  /**
   * The names of values that identify a row or several. Writes to the same table with different
   * keys do not affect each other. Empty for a table that rows are only appended to.
   */
  readonly key: readonly string[]
  /** Whether it looks up rows that are stored. */
  readonly looksUp: boolean
  /** Whether one statement may write two rows with the same key. */
  readonly repeats: boolean
  readonly build: (source: RowSource) => SQL
}

/** The parts of a `RowWrite` that differ between statements of the same kind. */
export interface WriteOptions {
  readonly key: readonly string[]
  /** What follows the values: the conflict clause. Default: nothing. */
  readonly rest?: SQL
  /** Default: true for inserts and deletes. */
  readonly repeats?: boolean
}

/** `INSERT INTO table (columns) VALUES (…) rest`. Placeholders are named as in `insertInto`. */
export function insertRow(table: Table, columns: NamedColumns, options: WriteOptions): RowWrite {
  return insertComputed(table, columns, { ...options, computed: {} })
}

/** Like `insertRow`; `computed` has the expressions of columns that are not written as given. */
export function insertComputed(
  table: Table,
  columns: NamedColumns,
  options: WriteOptions & {
    readonly computed: Readonly<Record<string, (value: RowSource['value']) => SQL>>
  },
): RowWrite {
  const { key, rest, repeats = true, computed } = options
  const into = sql`INSERT INTO ${table} (${names(Object.values(columns))})`
  const after = rest === undefined ? sql`` : sql` ${rest}`
  return {
    table: getTableName(table),
    columns,
    key,
    looksUp: false,
    repeats,
    build({ value, from }) {
      const values = sql.join(
        Object.keys(columns).map((name) => computed[name]?.(value) ?? value(name)),
        sql`, `,
      )
      return from === null
        ? sql`${into} VALUES (${values})${after}`
        : sql`${into} SELECT ${values} FROM ${from}${after}`
    },
  }
}

/** `UPDATE table SET column = …, … WHERE key = …`. */
export function updateRow(
  table: Table,
  given: NamedColumns,
  { by, key = Object.keys(by) }: { readonly by: NamedColumns; readonly key?: readonly string[] },
): RowWrite {
  return {
    table: getTableName(table),
    columns: { ...given, ...by },
    key,
    looksUp: true,
    repeats: false,
    build({ value, from }) {
      const all = Object.entries(given).map(([name, column]) => sql`${names([column])} = ${value(name)}`)
      const source = from === null ? sql`` : sql` FROM ${from}`
      return sql`UPDATE ${table} SET ${sql.join(all, sql`, `)}${source} WHERE ${matches(by, value)}`
    },
  }
}

/** `DELETE FROM table WHERE key = …`. */
export function deleteRows(
  table: Table,
  by: NamedColumns,
  key: readonly string[] = Object.keys(by),
): RowWrite {
  return {
    table: getTableName(table),
    columns: by,
    key,
    looksUp: true,
    repeats: true,
    build({ value, from }) {
      const source = from === null ? sql`` : sql` USING ${from}`
      return sql`DELETE FROM ${table}${source} WHERE ${matches(by, value)}`
    },
  }
}

function matches(by: NamedColumns, value: RowSource['value']): SQL {
  const all = Object.entries(by).map(([name, column]) => sql`${column} = ${value(name)}`)
  return sql.join(all, sql` AND `)
}
