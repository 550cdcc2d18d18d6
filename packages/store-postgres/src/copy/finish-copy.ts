import type { Client } from 'pg'

interface Counter {
  readonly table: string
  readonly column: string
}

const counters = `SELECT c.relname AS table, a.attname AS column
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' AND a.attidentity <> ''`

/** Sets the sequences of tables after the copied rows. Safe to repeat. */
export async function finishCounters(client: Client, schema: string): Promise<void> {
  const { rows } = await client.query<Counter>(counters, [schema])
  for (const { table, column } of rows)
    await client.query(
      `SELECT setval(pg_get_serial_sequence($1, $2), max(${column})) FROM ${table} HAVING count(*) > 0`,
      [`${schema}.${table}`, column],
    )
}

/** The tables of a schema, for `finishTable`. */
export async function tablesToFinish(client: Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ relname: string }>(
    "SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1) AND relkind = 'r' ORDER BY relname",
    [schema],
  )
  return rows.map(({ relname }) => relname)
}

/** Updates the statistics of a table, so that the first queries are not slow. */
export async function finishTable(client: Client, table: string): Promise<void> {
  await client.query(`VACUUM (ANALYZE) ${table}`)
}
