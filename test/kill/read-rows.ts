import { DatabaseSync } from 'node:sqlite'
import { asAdministrator } from '../services/postgres.ts'

/** The database of a service: a SQLite file, or a schema in the test database. */
export type RowKey = { readonly file: string } | { readonly schema: string }

/** A row from the driver. PostgreSQL returns 64-bit numbers as text. */
export type Row = Readonly<Record<string, unknown>>

/** A text column; empty if null. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Runs a query. The same queries work on both databases, unless they look into JSON. */
export type Ask = (query: string) => Promise<readonly Row[]>

/** Reads the rows that a service left, directly from the database. */
export async function readRows<T>(location: RowKey, look: (ask: Ask) => Promise<T>): Promise<T> {
  return 'file' in location ? readSqlite(location.file, look) : readPostgres(location.schema, look)
}

async function readSqlite<T>(file: string, look: (ask: Ask) => Promise<T>): Promise<T> {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return await look(async (query) => database.prepare(query).all())
  } finally {
    database.close()
  }
}

function readPostgres<T>(schema: string, look: (ask: Ask) => Promise<T>): Promise<T> {
  return asAdministrator(async (client) => {
    await client.query(`SET search_path = ${schema}`)
    return look(async (query) => (await client.query<Row>(query)).rows)
  })
}

/** The faults that queries find, each prefixed with its name. */
export async function askFaults(ask: Ask, queries: Readonly<Record<string, string>>): Promise<string[]> {
  const locations: string[] = []
  for (const [what, query] of Object.entries(queries)) {
    locations.push(...(await ask(query)).map(({ fault }) => `${what}: ${String(fault)}`))
  }
  return locations
}
