import { type Migration, newestVersion, oldestVersion } from '@quire/store-sql'
import type { Client } from 'pg'
import type { Target } from './connect.ts'
import { copyTable, findCopy } from './copy/copy-record.ts'
import type { Migrated } from './migrated.ts'
import { inTransactionAlone, openClient, refusal } from './open-client.ts'
import { StoreOpenError } from './store-open-error.ts'

/**
 * Upgrades a schema to the newest version, creating it when it is missing: all steps or none.
 * Processes that start at the same time wait for one another, and writers wait for the migration.
 *
 * Errors: StoreOpenError, whose message says what to do; `unreleased` for a schema from before the
 * first release, `unfinished` while an installation is still being copied to it, `absent` when the
 * schema is empty or missing and `mustExist` is set.
 */
export async function migrate(
  target: Target,
  migrations: readonly Migration[],
  { mustExist = false }: { mustExist?: boolean } = {},
): Promise<Migrated> {
  const { client, serverVersion } = await openClient(target)
  const { schema } = target
  try {
    const schemaVersion = await inTransactionAlone(client, schema, async () => {
      if (!mustExist) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
      const current = await currentVersion(client, schema)
      if (mustExist && current === 0) throw absent(schema)
      return applyMissing({ client, schema, current }, migrations)
    })
    return { serverVersion, schemaVersion }
  } catch (error) {
    throw refusal(client, error)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A schema before the migration. */
export interface StoredSchema {
  readonly client: Client
  readonly schema: string
  /** Its version; 0 for an empty schema. */
  readonly current: number
}

/**
 * Upgrades a schema and returns its new version. Call in a transaction that keeps others from
 * writing.
 */
export async function applyMissing(
  { client, schema, current }: StoredSchema,
  migrations: readonly Migration[],
): Promise<number> {
  const newest = newestVersion(migrations)
  if (current > newest) throw newer(schema, current, newest)
  if (current > 0 && current < oldestVersion(migrations)) throw unreleased(schema, current, newest)
  const missing = migrations.filter(({ version }) => version > current)
  if (missing.length === 0) return newest
  if (current === 0) await client.query('CREATE TABLE schema_version (version integer NOT NULL)')
  for (const { sql } of missing) await client.query(sql)
  await client.query('DELETE FROM schema_version')
  await client.query('INSERT INTO schema_version VALUES ($1)', [newest])
  return newest
}

async function currentVersion(client: Client, schema: string): Promise<number> {
  const names = await tablesIn(client, schema)
  if (names.length === 0) return 0
  if (!names.includes('schema_version')) throw notOurs(schema)
  if (names.includes(copyTable)) await requireWhole(client, schema)
  return readVersion(client)
}

/** The names of the tables, indexes and other relations in a schema. */
export async function tablesIn(client: Client, schema: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ relname: string }>(
    'SELECT relname FROM pg_class WHERE relnamespace = to_regnamespace($1)',
    [schema],
  )
  return rows.map(({ relname }) => relname)
}

/** The recorded version of one of our schemas. */
export async function readVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  return rows[0]?.version ?? 0
}

async function requireWhole(client: Client, schema: string): Promise<void> {
  const copy = await findCopy(client)
  if (copy && copy.finished === null)
    throw new StoreOpenError(
      'unfinished',
      `An installation is still being copied to the schema ${schema}: call quire migrate-store again until it succeeds, or drop the schema.`,
    )
}

function absent(schema: string): StoreOpenError {
  return new StoreOpenError(
    'absent',
    `The schema ${schema} holds no installation: name the schema of your installation, or start a server on it first.`,
  )
}

function notOurs(schema: string): StoreOpenError {
  return new StoreOpenError(
    'notOurs',
    `The schema ${schema} holds tables of another program: choose another schema.`,
  )
}

function unreleased(schema: string, current: number, newest: number): StoreOpenError {
  return new StoreOpenError(
    'unreleased',
    `The schema ${schema} was made by an unreleased version of Quire (version ${current}; this one needs ${newest}): rename it or drop it, and start with an empty one.`,
  )
}

function newer(schema: string, current: number, newest: number): StoreOpenError {
  return new StoreOpenError(
    'newer',
    `The schema ${schema} has version ${current}, this server knows ${newest}: start the newer server, or restore a backup from before.`,
  )
}
