import { type Column, type GetColumnData, type SQL, type Table, sql } from 'drizzle-orm'

/** The raw row that selecting these columns returns. */
export type RowOf<C extends readonly Column[]> = { readonly [I in keyof C]: GetColumnData<C[I], 'query'> }

/** Columns by their bare names, for INSERT and RETURNING. */
export function names(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql.identifier(column.name)),
    sql`, `,
  )
}

/** Columns qualified by their tables, for SELECT. */
export function selected(columns: readonly Column[]): SQL {
  return sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  )
}

/** Columns by the names of their placeholders. */
export type NamedColumns = Readonly<Record<string, Column>>

/** `INSERT INTO table (columns) VALUES (…)`. Each placeholder has its column's name in the code. */
export function insertInto(table: Table, columns: NamedColumns): SQL {
  return sql`INSERT ${into(table, columns)}`
}

/** The part of `insertInto` after the verb. */
export function into(table: Table, columns: NamedColumns): SQL {
  const values = Object.keys(columns).map((name) => sql`${sql.placeholder(name)}`)
  return sql`INTO ${table} (${names(Object.values(columns))}) VALUES (${sql.join(values, sql`, `)})`
}

/** `column = value` for each column, with placeholders as in insertInto. */
export function assignments(columns: NamedColumns): SQL {
  const all = Object.entries(columns).map(
    ([name, column]) => sql`${names([column])} = ${sql.placeholder(name)}`,
  )
  return sql.join(all, sql`, `)
}

/** `column = excluded.column` for each column, for ON CONFLICT DO UPDATE. */
export function excluded(columns: readonly Column[]): SQL {
  const all = columns.map((column) => sql`${names([column])} = excluded.${names([column])}`)
  return sql.join(all, sql`, `)
}
