import { createClient, type Api } from '@quire/client'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { undiciOutbound } from '@quire/outbound-undici'
import { createServer } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import type { RunningEngine } from './engine.ts'

/** The credentials that Quire and the engine use with each other. */
export interface SharedSecrets {
  /** Quire's credential at the engine. */
  readonly token: string
  /** The engine's credential at Quire. */
  readonly signingSecret: string
}

/**
 * A Quire service on SQLite and 127.0.0.1, which may call local addresses. People work with it
 * through clients.
 */
export interface Desk {
  readonly quire: Quire
  /** The API in process with the system identity, for setup and inspection. */
  readonly system: Api
  readonly address: string
  /** A client for a person with a role. */
  client(name: string, person: Person): Promise<Api>
  close(): Promise<void>
}

/** A person's permissions and groups. */
export interface Person {
  readonly bundle: string
  readonly groups?: readonly string[]
}

/** Opens a service on a database file. */
export async function openDesk(file: string): Promise<Desk> {
  const store = await openSqliteStore({ file })
  const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
  const quire = createQuire({ store, outbound, baseUrl: 'http://127.0.0.1:3000' })
  const system = quire.as(systemIdentity('example'))
  const app = createServer({ quire, baseUrl: quire.baseUrl })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  quire.work()
  return {
    quire,
    system,
    address,
    client: async (name, person) => clientOf({ system, address }, name, person),
    async close() {
      await app.close()
      await quire.close()
    },
  }
}

async function clientOf(
  { system, address }: Pick<Desk, 'system' | 'address'>,
  name: string,
  { bundle, groups = [] }: Person,
): Promise<Api> {
  const role = await system.roles.create({ name, bundles: [bundle] })
  const account = await system.serviceAccounts.create({ name, roles: [role.id], groups: [...groups] })
  return createClient({
    baseUrl: address,
    auth: { clientId: account.id, clientSecret: account.secret },
  })
}

/**
 * Connects the engine, and creates a repository whose packages are reviewed by it. A completed
 * review is merged and published.
 */
export async function connectEngine(
  { system, address }: Pick<Desk, 'system' | 'address'>,
  { baseUrl }: Pick<RunningEngine, 'baseUrl'>,
  { token, signingSecret }: SharedSecrets,
): Promise<void> {
  const connection = await system.workflowConnections.create({
    name: 'Review engine',
    baseUrl,
    callbackBaseUrl: address,
    auth: { kind: 'bearer', token },
    callback: { signingSecret },
  })
  const definition = await system.workflowDefinitions.create({
    name: 'Two-step review',
    connectionId: connection.id,
    processDefinitionKey: 'two-step-review',
    initialTriggerUrl: '/start/{processDefinitionKey}',
  })
  await system.repositories.update({
    id: 'magazine',
    settings: {
      workflow: {
        enabled: true,
        defaultWorkflowId: definition.id,
        autoMerge: true,
        publishOnMerge: true,
      },
    },
  })
}
