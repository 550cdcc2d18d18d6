import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { Api } from '@quire/contract'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import type { Log } from '@quire/core/ports'
import type { FastifyInstance } from 'fastify'
import { createServer, noRateLimits, type ServerOptions } from '../src/index.ts'

/** An entry of a log that stores its entries. */
export interface LogLine {
  readonly level: string
  readonly event: string
  readonly members: Readonly<Record<string, unknown>>
}

export interface Serving {
  readonly app: FastifyInstance
  readonly baseUrl: string
  readonly quire: Quire
  readonly api: Api
  readonly clientId: string
  readonly clientSecret: string
  readonly token: string
  readonly entries: LogLine[]
  /** Sends a request with the token, unless `init` has its own authorization. */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The response to raw bytes on a socket. */
  raw(text: string): Promise<string>
}

/**
 * A server on its own port over an engine in memory, with a magazine, an article and an
 * administrator.
 */
export async function serve(options: Partial<ServerOptions> = {}): Promise<Serving> {
  const entries: LogLine[] = []
  const log: Log = { write: (level, event, members = {}) => void entries.push({ level, event, members }) }
  const baseUrl = 'http://quire.test'
  const quire = options.quire ?? createQuire({ store: createMemoryStore(), baseUrl, log })
  const api = quire.as(systemIdentity('test'))
  const account = await prepare(api)
  // A busy machine is late for other reasons.
  const load = { loopDelayMs: Infinity, inFlight: 1000 }
  const app = createServer({ quire, baseUrl, log, requestLog: log, rates: noRateLimits, load, ...options })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const address = `http://127.0.0.1:${port}`
  const token = await tokenOf(quire, account)
  return {
    app,
    baseUrl: address,
    quire,
    api,
    ...account,
    token,
    entries,
    fetch: (path, init = {}) =>
      fetch(`${address}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...(init.headers as object) },
      }),
    raw: (text) => talk(port, text),
  }
}

async function prepare(api: Api): Promise<{ clientId: string; clientSecret: string }> {
  const role = await api.roles.create({ name: 'Administrators', bundles: ['bundle.administrator'] })
  const { id, secret } = await api.serviceAccounts.create({ name: 'Tests', roles: [role.id] })
  await api.repositories.create({ name: 'magazine' })
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
  await api.items.create({ repositoryId: 'magazine', type: 'article', name: 'Ink', fields: { title: 'Ink' } })
  return { clientId: id, clientSecret: secret }
}

async function tokenOf(quire: Quire, { clientId, clientSecret }: { clientId: string; clientSecret: string }) {
  const input = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret }
  const answer = await quire.run({
    group: 'auth',
    operation: 'token',
    principal: { kind: 'anonymous' },
    input,
  })
  return (answer as { access_token: string }).access_token
}

function talk(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

/** A form body with its header. */
export function form(members: Readonly<Record<string, string>>): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: '' },
    body: new URLSearchParams(members).toString(),
  }
}

/** A JSON body with its header. */
export function json(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: text }
}
