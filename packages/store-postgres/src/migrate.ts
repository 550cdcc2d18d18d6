import type { Migration } from '@quire/store-sql'
import { Client } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import { sqlState, translate } from './postgres-error.ts'
import { StoreOpenError } from './store-open-error.ts'
import { writerLock } from './writer-lock.ts'

/** What was found of a database once it is current. */
export interface Migrated {
  readonly serverVersion: string
  readonly schemaVersion: number
}

/**
 * Brings a schema to the newest version, making it when it is not there: all steps or none. Processes that start at the same time wait for
 * one another, and writers wait for it.
 *
 * Errors: StoreOpenError, whose message says what to do.
 */
export async function migrate(target: Target, migrations: readonly Migration[]): Promise<Migrated> {
  const client = new Client(clientConfig(target, patience.migrate))
  client.on('error', () => undefined)
  try {
    await client.connect()
    const serverVersion = await requireSettings(client, target)
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${writerLock(target.schema)})`)
    const schemaVersion = await applyMissing(client, target.schema, migrations)
    await client.query('COMMIT')
    return { serverVersion, schemaVersion }
  } catch (error) {
    throw refusal(client, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The oldest server that this was tried with. */
const OLDEST = 150_000

interface Settings {
  readonly version: string
  readonly number: string
  readonly encoding: string
  readonly path: string
}

/** Answers the version of the server. */
async function requireSettings(client: Client, { schema }: Target): Promise<string> {
  const { rows } = await client.query<Settings>(
    "SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number, current_setting('server_encoding') AS encoding, current_setting('search_path') AS path",
  )
  const [found] = rows
  if (!found || Number(found.number) < OLDEST) {
    const version = found?.version ?? 'of an unknown version'
    throw new StoreOpenError('settings', `The server is PostgreSQL ${version}: use 15 or newer.`)
  }
  if (found.encoding !== 'UTF8')
    throw new StoreOpenError('settings', `The database is in ${found.encoding}: make one in UTF8.`)
  if (found.path !== schema)
    throw new StoreOpenError(
      'settings',
      'The address of the database sets options of its own: leave them out.',
    )
  return found.version
}

async function applyMissing(
  client: Client,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
  const newest = Math.max(...migrations.map(({ version }) => version))
  const current = await currentVersion(client, schema)
  if (current > newest) throw newer(schema, current, newest)
  const missing = migrations.filter(({ version }) => version > current)
  if (missing.length === 0) return newest
  if (current === 0) await client.query('CREATE TABLE schema_version (version integer NOT NULL)')
  for (const { sql } of missing) await client.query(sql)
  await client.query('DELETE FROM schema_version')
  await client.query('INSERT INTO schema_version VALUES ($1)', [newest])
  return newest
}

/** The version of the schema; 0 for one that holds nothing yet. */
async function currentVersion(client: Client, schema: string): Promise<number> {
  const { rows } = await client.query<{ relname: string }>(
    'SELECT relname FROM pg_class WHERE relnamespace = $1::regnamespace',
    [schema],
  )
  if (rows.length === 0) return 0
  if (!rows.some(({ relname }) => relname === 'schema_version')) throw notOurs(schema)
  const { rows: versions } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  return versions[0]?.version ?? 0
}

function notOurs(schema: string): StoreOpenError {
  return new StoreOpenError('notOurs', `The schema ${schema} holds tables of something else: choose another.`)
}

function newer(schema: string, current: number, newest: number): StoreOpenError {
  return new StoreOpenError(
    'newer',
    `The schema ${schema} has version ${current}, this server knows ${newest}: start the newer server, or restore a backup from before.`,
  )
}

function refusal({ host, port, database }: Client, error: unknown): unknown {
  if (error instanceof StoreOpenError) return error
  const place = `${database ?? ''} at ${host}:${port}`
  const state = sqlState(error)
  if (state === null || /^(?:57P03|53300|08)/.test(state)) {
    const message = `The database ${place} does not answer: start it, or correct its address.`
    return new StoreOpenError('unreachable', message, { cause: error })
  }
  if (/^(?:28|3D|42501)/.test(state)) {
    const message = `The database ${place} refuses the user or is not there (${state}): check name, password and rights.`
    return new StoreOpenError('refused', message, { cause: error })
  }
  return translate(error)
}
