import { DatabaseSync } from 'node:sqlite'
import type { DatabaseLocation } from '../storage/locations.ts'

/** A row of an answer. */
export type Row = Readonly<Record<string, unknown>>

/** Reads a database with a driver of its own, read-only, so that it works while a server runs and shares no code with what it judges. */
export interface Reader {
  readonly kind: 'sqlite' | 'postgresql'
  /** Values stand for `$1`, `$2`, …. Errors: what the driver throws. */
  all(sql: string, ...values: readonly string[]): Promise<readonly Row[]>
  close(): Promise<void>
}

/** Reads a file. Errors: what the driver throws for one that is no database. */
export function openFileReader(file: string): Reader {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  return {
    kind: 'sqlite',
    all: async (sql, ...values) => database.prepare(sql.replaceAll(/\$(?=\d)/g, '?')).all(...values),
    close: async () => database.close(),
  }
}

/** Reads a schema of a database, as it is at one moment. Errors: what the driver throws. */
export async function openDatabaseReader({ url, schema = 'quire' }: DatabaseLocation): Promise<Reader> {
  const { Client } = await import('pg')
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
