import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import type { Store } from '@quire/core/ports'
import { Client } from 'pg'
import { type PostgresStore, openPostgresStore } from '@quire/store-postgres'

const usual = { host: '127.0.0.1', port: 5432, url: 'postgresql://postgres@127.0.0.1:5432/test' }

/** The database that tests may use; null, with the reason said, where none answers. What answers or is named is never passed over. */
export const testDatabase = await findDatabase()

/** What tests of the database are called by: where it is, or why they are skipped. */
export const location =
  testDatabase === null
    ? `skipped: nothing answers at ${usual.host}:${usual.port}, and QUIRE_TEST_POSTGRES_URL is not set`
    : `with ${new URL(testDatabase).host}`

async function findDatabase(): Promise<string | null> {
  const named = process.env['QUIRE_TEST_POSTGRES_URL']
  if (named !== undefined) return named
  const socket = connect({ host: usual.host, port: usual.port })
  try {
    await once(socket, 'connect')
    return usual.url
  } catch (error) {
    // Where PostgreSQL is installed it is to be tried: skipped tests would look like success.
    if (process.env['CI'] && existsSync('/usr/lib/postgresql')) throw error
    return null
  } finally {
    socket.destroy()
  }
}

/** A name for a schema of one test. */
export function testSchema(): string {
  return `quire_test_${randomBytes(8).toString('hex')}`
}

/** Opens a store on a schema of its own. */
export async function openTestStore(): Promise<{
  readonly store: PostgresStore
  readonly schema: string
  readonly reopen: () => Promise<Store>
  /** A second store on the same schema, for the test to close. */
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

/** The address of the database. Errors: throws where none answers. */
export function databaseUrl(): string {
  if (testDatabase === null) throw new Error(location)
  return testDatabase
}

/** Removes a schema with all that it holds. */
export async function dropSchema(schema: string): Promise<void> {
  await asAdministrator((client) => client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`))
}

/** Runs work over a connection of its own. */
export async function asAdministrator<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: databaseUrl() })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
