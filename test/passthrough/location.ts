import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Api } from '@quire/contract'
import { createClient, type Client } from '@quire/client'
import { createQuire, systemIdentity } from '@quire/core'
import { createMemoryStore } from '@quire/core/memory'
import { undiciOutbound } from '@quire/outbound-undici'
import { createServer, noRateLimits } from '@quire/server'
import { onTestFinished } from 'vitest'

/** A server other than Quire on this machine. It ends with the test. */
export interface OtherServer {
  /** Without a trailing slash. */
  readonly url: string
  /** Paths of the received requests, in order. */
  readonly paths: readonly string[]
  /** Headers of the last request. */
  headers(): Readonly<Record<string, unknown>>
  /** Number of open connections. */
  open(): number
}

/** Starts a server with the given request handler. */
export async function anotherServer(answer: RequestListener): Promise<OtherServer> {
  const paths: string[] = []
  let headers = {}
  const sockets = new Set<Socket>()
  const server = createHttpServer((request, response) => {
    paths.push(request.url ?? '')
    headers = request.headers
    answer(request, response)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const url = await listening(server)
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { url, paths, headers: () => headers, open: () => sockets.size }
}

async function listening(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** A Quire server on its own port that may send to this machine. It ends with the test. */
export interface Location {
  readonly url: string
  /** The engine in process, with the system identity. */
  readonly system: Api
  /** A client with administrator permissions, and a token of the same account. */
  readonly client: Client
  readonly token: string
}

/** A server with an in-memory engine, whose outbound requests may go to this machine. */
export async function aLocation(): Promise<Location> {
  const outbound = undiciOutbound({ allow: ['127.0.0.1'] })
  const quire = createQuire({ store: createMemoryStore(), outbound })
  const system = quire.as(systemIdentity('test'))
  const role = await system.roles.create({ name: 'All', bundles: ['bundle.administrator'] })
  const { id, secret } = await system.serviceAccounts.create({ name: 'Administrator', roles: [role.id] })
  const app = createServer({ quire, baseUrl: 'http://quire.test', rates: noRateLimits })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    await app.close()
    await quire.close()
  })
  const client = createClient({ baseUrl: url, auth: { clientId: id, clientSecret: secret } })
  const { access_token: token } = await client.auth.token({
    grant_type: 'client_credentials',
    client_id: id,
    client_secret: secret,
  })
  return { url, system, client, token }
}

/**
 * Creates an access configuration for another server. By default it allows all methods and paths.
 */
export async function accessTo(
  { system }: Pick<Location, 'system'>,
  baseUrl: string,
  more: object = {},
): Promise<string> {
  const rules = { allowedMethods: ['GET' as const, 'HEAD' as const, 'POST' as const], allowedPaths: ['/**'] }
  return (await system.admin.generateKey({ name: 'Other', type: 'http', baseUrl, ...rules, ...more })).id
}

/** Whether a server has no connection left within two seconds (TRUST S28). */
export async function isLeft({ open }: Pick<OtherServer, 'open'>): Promise<boolean> {
  const end = Date.now() + 2000
  while (open() > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 10))
  return open() === 0
}
