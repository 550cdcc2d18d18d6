import { DatabaseSync } from 'node:sqlite'
import { asAdministrator } from '../services/postgres.ts'

/** Where a service keeps its rows: a file of SQLite, or a schema of the database of the tests. */
export type RowKey = { readonly file: string } | { readonly schema: string }

/** A row as the database gives it: PostgreSQL has numbers of 64 bits as text. */
export type Row = Readonly<Record<string, unknown>>

/** A text of a row; empty for none. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Asks for rows. What is asked is the same for both databases as long as it looks into no JSON. */
export type Ask = (query: string) => Promise<readonly Row[]>

/** Looks at what is left of a service, with nothing between the rows and who looks. */
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

/** What queries find that must not be there, each with what is wrong. */
export async function askFaults(ask: Ask, queries: Readonly<Record<string, string>>): Promise<string[]> {
  const locations: string[] = []
  for (const [what, query] of Object.entries(queries)) {
    locations.push(...(await ask(query)).map(({ fault }) => `${what}: ${String(fault)}`))
  }
  return locations
}
