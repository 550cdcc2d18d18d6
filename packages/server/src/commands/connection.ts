import { QuireError, type Api, type Repository } from '@quire/contract'
import { createClient, type Client } from '@quire/client'
import { systemIdentity } from '@quire/core'
import { openQuire } from '../open-quire.ts'
import { OperatorError } from '../operator-error.ts'
import { jobsOf, storedLocationsOf, type StorageFlags } from './storage-flags.ts'

/**
 * Where a command runs: on a data folder that no server uses, on a database, or against a running
 * service.
 */
export interface ConnectionOptions extends StorageFlags {
  readonly url?: string
  readonly clientId?: string
  readonly clientSecret?: string
}

/** An open engine. `client` is null unless it is a running service. */
export interface Connection {
  readonly api: Api
  readonly client: Client | null
  close(): Promise<void>
}

/**
 * Connects to the running service at `url`, or opens the engine in this process and acts as the
 * system under `name`. Errors: OperatorError.
 */
export async function connect(options: ConnectionOptions, name: string): Promise<Connection> {
  const { url, clientId, clientSecret } = options
  if (url === undefined) return embedded(options, name)
  if (clientId === undefined || clientSecret === undefined) {
    throw new OperatorError('--url needs --client-id and --client-secret of a service account.', {
      exitCode: 2,
    })
  }
  const client = createClient({ baseUrl: url, auth: { clientId, clientSecret } })
  return { api: client, client, close: async () => undefined }
}

async function embedded(options: ConnectionOptions, name: string): Promise<Connection> {
  const locations = await storedLocationsOf(options)
  const { quire } = await openQuire({ ...locations, ...jobsOf(locations), baseUrl: 'http://127.0.0.1:3000' })
  return { api: quire.as(systemIdentity(name)), client: null, close: () => quire.close() }
}

/** A repository by id or name. Errors: OperatorError if there is none. */
export function findRepository(api: Api, id: string): Promise<Repository> {
  return known(api.repositories.get({ id }), `There is no repository "${id}".`)
}

/** What a read finds. Errors: OperatorError with the message if there is nothing. */
export async function known<T>(read: Promise<T>, absent: string): Promise<T> {
  try {
    return await read
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found')
      throw new OperatorError(absent, { cause: error })
    throw error
  }
}
