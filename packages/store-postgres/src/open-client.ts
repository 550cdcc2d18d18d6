import { Client } from 'pg'
import { type Target, clientConfig, patience } from './connect.ts'
import { sqlState, translate } from './postgres-error.ts'
import { StoreOpenError } from './store-open-error.ts'
import { writerLock } from './writer-lock.ts'

/** A connection for slow work, to a server that meets the requirements. */
export interface OpenedClient {
  readonly client: Client
  readonly serverVersion: string
}

/** Connects. Errors: StoreOpenError, whose message says what to do. */
export async function openClient(target: Target): Promise<OpenedClient> {
  const client = new Client(clientConfig(target, patience.migrate))
  client.on('error', () => undefined)
  try {
    await client.connect()
    return { client, serverVersion: await requireSettings(client, target) }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw refusal(client, error)
  }
}

/** Runs work in a transaction that keeps all others from writing in the schema. */
export async function inTransactionAlone<T>(
  client: Client,
  schema: string,
  work: () => Promise<T>,
): Promise<T> {
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${writerLock(schema)})`)
  const result = await work()
  await client.query('COMMIT')
  return result
}

/** The oldest server version that was tested. */
const OLDEST = 150_000

interface Settings {
  readonly version: string
  readonly number: string
  readonly encoding: string
  readonly path: string
}

/** Checks the settings of the server and returns its version. */
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
    throw new StoreOpenError(
      'settings',
      `The encoding of the database is ${found.encoding}: create a database with UTF8.`,
    )
  if (found.path !== schema)
    throw new StoreOpenError(
      'settings',
      'The address of the database overrides session options: remove them.',
    )
  return found.version
}

/** The error that explains why a database cannot be opened. */
export function refusal({ host, port, database }: Client, error: unknown): unknown {
  if (error instanceof StoreOpenError) return error
  const location = `${database ?? ''} at ${host}:${port}`
  const state = sqlState(error)
  if (state === null || /^(?:57P03|53300|08)/.test(state)) {
    const message = `The database ${location} does not answer: start it, or correct its address.`
    return new StoreOpenError('unreachable', message, { cause: error })
  }
  if (/^(?:28|3D|42501)/.test(state)) {
    const message = `The database ${location} does not exist or refuses the user (${state}): check the name, the password and the permissions.`
    return new StoreOpenError('refused', message, { cause: error })
  }
  return translate(error)
}
