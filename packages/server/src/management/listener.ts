import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenProblem, type Location } from '../commands/reserve-port.ts'
import { wordAnswer, type ReadyWord } from '../http/health.ts'
import type { Metrics } from './metrics.ts'

/** What the management listener reports. */
export interface Managed {
  readonly ready: () => Promise<ReadyWord>
  readonly metrics: Metrics
}

/** A listener for operators, separate from the one for callers. */
export interface Management {
  readonly port: number
  /** Closes it at once, including requests under way. */
  close(): Promise<void>
}

/** Smaller than the limits of TRUST 4.2: only a few machines call it, and requests have no body. */
const limits = {
  maxHeaderSize: 8 * 1024,
  headersTimeout: 5000,
  requestTimeout: 10_000,
  keepAliveTimeout: 72_000,
}
const mostConnections = 100

/**
 * Serves `/livez`, `/readyz` and `/metrics` to anyone who can reach it, without a token.
 * Errors: OperatorError naming the port.
 */
export async function openManagement(location: Location, managed: Managed): Promise<Management> {
  const server = createServer(limits, listenerOf(managed))
  server.maxConnections = mostConnections
  // This listener must not keep the process alive. That is up to the service.
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
    if (!page) return notify(response, plain(404, 'Not found. The paths are /livez, /readyz and /metrics.'))
    if (method !== 'GET' && method !== 'HEAD')
      return notify(response, plain(405, 'Only GET and HEAD are allowed.', { allow: 'GET, HEAD' }))
    page().then(
      (reported) => notify(response, reported),
      () => notify(response, plain(500, 'The state cannot be determined at the moment.')),
    )
  }
}

function plain(status: number, text: string, headers: PageAnswer['headers'] = {}): PageAnswer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8', ...headers }, body: `${text}\n` }
}

// `end` omits the body of a response to HEAD.
function notify(response: ServerResponse, { status, headers, body }: PageAnswer): void {
  response.writeHead(status, { 'x-content-type-options': 'nosniff', ...headers })
  response.end(body)
}
