import { type Column, type GetColumnData, type SQL, type Table, sql } from 'drizzle-orm'

/** The raw row that selecting these columns gives. */
export type RowOf<C extends readonly Column[]> = { readonly [I in keyof C]: GetColumnData<C[I], 'query'> }

/** Columns by their bare names, as INSERT and RETURNING want them. */
export function names(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql.identifier(column.name)),
    sql`, `,
  )
}

/** Columns with their tables, as SELECT wants them. */
export function selected(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  )
}

/** Columns by the names that their placeholders take. */
export type NamedColumns = Readonly<Record<string, Column>>

/** `INSERT INTO table (columns) VALUES (…)`, each value under a placeholder of its column's name in the code. */
export function insertInto(table: Table, columns: NamedColumns): SQL {
  return sql`INSERT ${into(table, columns)}`
}

/** What comes after the verb of `insertInto`. */
export function into(table: Table, columns: NamedColumns): SQL {
  const values = Object.keys(columns).map((name) => sql`${sql.placeholder(name)}`)
  return sql`INTO ${table} (${names(Object.values(columns))}) VALUES (${sql.join(values, sql`, `)})`
}

/** `column = value` for each, as insertInto gives the values. */
export function assignments(columns: NamedColumns): SQL {
  const all = Object.entries(columns).map(
    ([name, column]) => sql`${names([column])} = ${sql.placeholder(name)}`,
  )
  return sql.join(all, sql`, `)
}

/** `column = what the refused row has` for each. */
export function excluded(columns: readonly Column[]): SQL {
  const all = columns.map((column) => sql`${names([column])} = excluded.${names([column])}`)
  return sql.join(all, sql`, `)
}
