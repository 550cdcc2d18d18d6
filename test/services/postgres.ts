import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import type { Store } from '@quire/core/ports'
import { Client } from 'pg'
import { type PostgresStore, openPostgresStore } from '@quire/store-postgres'

const usual = { host: '127.0.0.1', port: 5432, url: 'postgresql://postgres@127.0.0.1:5432/test' }

/**
 * The database for tests; null if there is none; `location` then says why. A database that answers or
 * is configured is always used.
 */
export const testDatabase = await findDatabase()

/** Part of the names of database tests: the host, or why they are skipped. */
export const location =
  testDatabase === null
    ? `skipped: no database at ${usual.host}:${usual.port}, and QUIRE_TEST_POSTGRES_URL is not set`
    : `with ${new URL(testDatabase).host}`

async function findDatabase(): Promise<string | null> {
  const named = process.env['QUIRE_TEST_POSTGRES_URL']
  if (named !== undefined) return named
  const socket = connect({ host: usual.host, port: usual.port })
  try {
    await once(socket, 'connect')
    return usual.url
  } catch (error) {
    // Where PostgreSQL is installed, it must be used: skipped tests would look like success.
    if (process.env['CI'] && existsSync('/usr/lib/postgresql')) throw error
    return null
  } finally {
    socket.destroy()
  }
}

/** A unique schema name for a test. */
export function testSchema(): string {
  return `quire_test_${randomBytes(8).toString('hex')}`
}

/** Opens a store on its own schema. */
export async function openTestStore(): Promise<{
  readonly store: PostgresStore
  readonly schema: string
  readonly reopen: () => Promise<Store>
  /** Opens a second store on the same schema. The test has to close it. */
  readonly openAnother: () => Promise<PostgresStore>
  readonly dispose: () => Promise<void>
}> {
  const schema = testSchema()
  const open = () => openPostgresStore({ url: databaseUrl(), schema, maxConnections: 6 })
  let current = await open()
  return {
    store: current,
    schema,
    openAnother: open,
    reopen: async () => {
      await current.close()
      current = await open()
      return current
    },
    dispose: async () => {
      await current.close()
      await dropSchema(schema)
    },
  }
}

/** The URL of the database. Throws if there is none. */
export function databaseUrl(): string {
  if (testDatabase === null) throw new Error(location)
  return testDatabase
}

/** Drops a schema with its content. */
export async function dropSchema(schema: string): Promise<void> {
  await asAdministrator((client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`))
}

/** Runs a function with its own connection. */
export async function asAdministrator<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
