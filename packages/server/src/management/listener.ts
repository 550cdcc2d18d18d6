import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenProblem, type Location } from '../commands/reserve-port.ts'
import { wordAnswer, type ReadyWord } from '../http/health.ts'
import type { Metrics } from './metrics.ts'

/** What the management listener tells. */
export interface Managed {
  readonly ready: () => Promise<ReadyWord>
  readonly metrics: Metrics
}

/** A listener for those who run the service, apart from the one for its callers. */
export interface Management {
  readonly port: number
  /** Ends it at once, with what it has under way. */
  close(): Promise<void>
}

/** TRUST 4.2, smaller: nobody but a few machines asks, and nothing is sent to it. */
const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
}
const mostConnections = 100

/** Serves `/livez`, `/readyz` and `/metrics` without a token: whoever reaches it may ask. Errors: OperatorError naming the port. */
export async function openManagement(location: Location, managed: Managed): Promise<Management> {
  const server = createServer(limits, listenerOf(managed))
  server.maxConnections = mostConnections
  // Whether the process goes on is for the service to say.
  server.unref().on('connection', (socket) => socket.unref())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenProblem(error, location)))
    server.listen({ host: location.host, port: location.port }, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface PageAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type AnswerPage = () => Promise<PageAnswer>

function listenerOf({ ready, metrics }: Managed): RequestListener {
  const pages: Readonly<Record<string, AnswerPage>> = {
    '/livez': async () => wordAnswer('ok'),
    '/readyz': async () => wordAnswer(await ready()),
    '/metrics': async () => {
      const headers = { 'content-type': metrics.contentType, 'cache-control': 'no-store' }
      return { status: 200, headers, body: await metrics.text() }
    },
  }
  return ({ method = '', url = '' }, response) => {
    const [path = ''] = url.split('?')
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined
    if (!page) return notify(response, plain(404, 'There is /livez, /readyz and /metrics.'))
    if (method !== 'GET' && method !== 'HEAD')
      return notify(response, plain(405, 'Only GET and HEAD.', { allow: 'GET, HEAD' }))
    page().then(
      (reported) => notify(response, reported),
      () => notify(response, plain(500, 'It cannot be told now.')),
    )
  }
}

function plain(status: number, text: string, headers: PageAnswer['headers'] = {}): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${text}\n` }
}

// Of a HEAD the body is left out by `end`.
function notify(response: ServerResponse, { status, headers, body }: PageAnswer): void {
  response.writeHead(status, { 'x-content-type-options': 'nosniff', ...headers })
  response.end(body)
}
