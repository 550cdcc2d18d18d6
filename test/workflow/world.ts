import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Client } from '@quire/client'
import { administrator, administratorEnv } from '../server/api-access.ts'
import { serveReady, type Served } from '../kill/cycle.ts'
import { serveArgs } from '../server/server-process.ts'
import { openEngine, type EngineStandIn } from './engine.ts'

/** The repository of all packages. */
export const repository = 'magazine'

/** The credentials for both directions. */
export const secrets = {
  apiKey: 'key-of-the-engine-0123456789',
  signingSecret: 'signing-secret-of-the-engine-0123456789',
  token: 'canary-credential-of-the-connection-0123456789',
} as const

/** The service on SQLite in its own process, with an engine that reviews its packages. */
export interface World {
  readonly served: Served
  readonly client: Client
  readonly engine: EngineStandIn
  readonly connectionId: string
  /** Creates a package with a new item. Returns its name. */
  aPackage(): Promise<string>
  close(): Promise<void>
}

export interface WorldOptions {
  /** Timeout of the engine's answers in ms. */
  readonly timeoutMs: number
  /** The environment of the service. Default: an administrator, and no rate limits. */
  readonly env?: Readonly<Record<string, string>>
}

/** Starts a service and its engine. */
export async function openWorld({ timeoutMs, env = administratorEnv }: WorldOptions): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-workflow-'))
  const engine = await openEngine()
  const args = [...serveArgs(join(folder, 'data')), '--log=error', '--egress-allow=127.0.0.1']
  const served = await serveReady(args, env)
  const close = async () => {
    await served.server.kill()
    await engine.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const { id: clientId, secret: clientSecret } = administrator
  const client = createClient({ baseUrl: served.url, auth: { clientId, clientSecret } })
  const reaching = { engine, callbackBaseUrl: served.url, timeoutMs }
  const connectionId = await prepare(client, reaching).catch(async (error: unknown) => {
    await close()
    throw error
  })
  let made = 0
  return {
    served,
    client,
    engine,
    connectionId,
    async aPackage() {
      const name = `Spring ${++made}`
      await client.packages.create({ repo: repository, name })
      const location = { repositoryId: repository, packageName: name }
      await client.items.create({ ...location, type: 'note', name: `Note of ${name}` })
      return name
    },
    close,
  }
}

/** How a service reaches its engine. */
export interface Reaching {
  readonly engine: Pick<EngineStandIn, 'baseUrl'>
  readonly callbackBaseUrl: string
  readonly timeoutMs: number
}

/** A connection, and the client that creates it. */
interface Connecting extends Reaching {
  readonly name: string
  readonly callback: { readonly apiKey: string; readonly signingSecret: string }
}

/** Creates a connection. Returns its id. */
export async function prepareConnection(
  client: Client,
  { engine, name, callback, callbackBaseUrl, timeoutMs }: Connecting,
): Promise<string> {
  const { id } = await client.workflowConnections.create({
    name,
    baseUrl: engine.baseUrl,
    callbackBaseUrl,
    auth: { kind: 'bearer', token: secrets.token },
    callback,
    timeoutMs,
  })
  return id
}

/**
 * Creates a repository whose packages are reviewed by the engine and merged on completion. Returns
 * the id of the connection.
 */
export async function prepare(client: Client, reaching: Reaching): Promise<string> {
  const callback = { apiKey: secrets.apiKey, signingSecret: secrets.signingSecret }
  const connectionId = await prepareConnection(client, { ...reaching, name: 'Engine', callback })
  const { id: defaultWorkflowId } = await client.workflowDefinitions.create({
    name: 'Review',
    connectionId,
    initialTriggerUrl: '/start',
  })
  await client.types.create({ name: 'note' })
  await client.repositories.create({ name: repository })
  const workflow = { enabled: true, defaultWorkflowId, autoMerge: true }
  await client.repositories.update({ id: repository, settings: { workflow } })
  return connectionId
}
