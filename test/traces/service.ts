import { mkdtempSync, rmSync } from 'node:fs'
import { createServer as createListener, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire, type QuireOptions } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import type { Log } from '@quire/core/ports'
import { undiciOutbound } from '@quire/outbound-undici'
import { createServer, noRateLimits } from '@quire/server'
import { openSqliteStore } from '@quire/store-sqlite'
import { onTestFinished } from 'vitest'

/** A request that a receiver got. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A server that answers with an empty object, or with 500 at `/fails`, and records what it got. */
export async function openReceiver(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = []
  const server = createListener(({ method = '', url = '', headers }, response) => {
    received.push({ method, path: url, headers })
    if (url === '/fails') response.statusCode = 500
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, received }
}

/** A folder for a database, which is removed after the test. */
export function aFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'quire-traces-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The keys of every engine of a test, so that each can read what the others sealed. */
const secrets = memorySecrets(new Uint8Array(32).fill(7))

/** An engine on the database in a folder, which may send to receivers. The test closes it. */
export async function openEngine(folder: string, options: Partial<QuireOptions> = {}): Promise<Quire> {
  const store = await openSqliteStore({ file: join(folder, 'quire.db') })
  return createQuire({ store, secrets, outbound: undiciOutbound({ allow: ['127.0.0.1'] }), ...options })
}

/** A repository, a type, and a webhook for new items. */
export async function prepare(api: Api, url: string): Promise<void> {
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'note', fields: [{ name: 'text', kind: 'text' }] })
  await api.webhooks.create({ repositoryId: 'magazine', name: 'Hook', url, events: ['ITEM_CREATED'] })
}

/** An entry of the log of requests. */
export type Entry = Readonly<Record<string, unknown>>

/** A service over an engine. */
export interface Service {
  readonly entries: readonly Entry[]
  /** Sends a request of an administrator. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>
  readonly token: string
  readonly server: Server
}

/** Serves an engine until the test ends. */
export async function serve(quire: Quire): Promise<Service> {
  const entries: Entry[] = []
  const requestLog: Log = { write: (_level, _event, members = {}) => void entries.push(members) }
  const app = createServer({ quire, baseUrl: quire.baseUrl, requestLog, rates: noRateLimits })
  await app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  const token = await tokenOf(quire)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
    })
  return { entries, send, token, server: app.server }
}

async function tokenOf(quire: Quire): Promise<string> {
  const api = quire.as(systemIdentity('test'))
  const role = await api.roles.create({ name: 'Administrators', bundles: ['bundle.administrator'] })
  const account = await api.serviceAccounts.create({ name: 'Traces', roles: [role.id] })
  const input = { grant_type: 'client_credentials', client_id: account.id, client_secret: account.secret }
  const principal = { kind: 'anonymous' } as const
  const answer = await quire.run({ group: 'auth', operation: 'token', principal, input })
  return (answer as { access_token: string }).access_token
}

/** The request that creates a note. */
export function aNote(text: string, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const body = JSON.stringify({ repositoryId: 'magazine', type: 'note', name: text, fields: { text } })
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body }
}
