import { hash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { withPackage } from '../optional-package.ts'
import type { DatabaseLocation } from '../storage/locations.ts'

/** A row of a result. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Reads a database through its own read-only connection. So it works while a server runs, and
 * shares no code with the store that it checks.
 */
export interface Reader {
  readonly kind: 'sqlite' | 'postgresql'
  /** `values` replace `$1`, `$2`, …. Errors: what the driver throws. */
  all(sql: string, ...values: readonly string[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Opens a SQLite file, with a function `sha256` in its SQL. Errors: what the driver throws for a file that is not a database. */
export function openFileReader(file: string): Reader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.function('sha256', { deterministic: true }, (text) => hash('sha256', String(text)))
  return {
    kind: 'sqlite',
    all: async (sql, ...values) => database.prepare(sql.replaceAll(/\$(?=\d)/g, '?')).all(...values),
    close: async () => database.close(),
  }
}

/**
 * Opens a schema of a PostgreSQL database and reads one snapshot of it. Errors: what the driver
 * throws.
 */
export async function openDatabaseReader({ url, schema = 'quire' }: DatabaseLocation): Promise<Reader> {
  const { Client } = await withPackage('pg', () => import('pg'))
  const client = new Client({
    connectionString: url,
    options: `-c search_path=${schema} -c jit=off`,
    application_name: 'quire doctor',
    connectionTimeoutMillis: 5000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
  return {
    kind: 'postgresql',
    all: async (sql, ...values) => (await client.query<Row>(sql, [...values])).rows,
    close: () => client.end(),
  }
}
