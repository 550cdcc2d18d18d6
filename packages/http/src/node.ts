import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { answererOf } from './fetch/handler.ts'
import type { FetchHandler, RequestContext } from './fetch/options.ts'
import { bringsBody } from './fetch/request-input.ts'
import type { IncomingRequest, OutgoingResponse } from './fetch/transport.ts'

/** Called when a request is not for Quire, or with an error. */
type Next = (error?: unknown) => void

/** A listener of `node:http`, and a middleware of Express and Connect. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: Next) => void

/** Options of `toNodeHandler`. */
export interface NodeHandlerOptions {
  /** What the host knows about a request: for example, who signed in to its own session. */
  readonly context?: (request: IncomingMessage) => RequestContext | undefined
}

/** What Express adds to a request. */
interface ExpressRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly body?: unknown
}

/**
 * The handler as a listener of `node:http` and as a middleware of Express. A request outside of the
 * handler's base path is passed on, or is 404 without something to pass it to. Callers are counted
 * by the address of their connection, unless the handler has `address`. Register it before parsers
 * of bodies such as `express.json()`. Errors: the handler is not one of `createFetchHandler`.
 * @example
 * createServer(toNodeHandler(handler)).listen(3000)
 * app.use(toNodeHandler(handler)) // Express
 */
export function toNodeHandler(handler: FetchHandler, { context }: NodeHandlerOptions = {}): NodeHandler {
  const answerer = answererOf(handler)
  const answer = async (request: ExpressRequest, response: ServerResponse, next?: Next): Promise<void> => {
    const incoming = fromNode(request, response)
    if (request.body !== undefined && request.readableEnded && bringsBody(incoming))
      throw new Error(parsedAlready)
    const answering = answerer.handle(incoming, context?.(request))
    if (!answering && next) return next()
    await send(response, await (answering ?? answerer.answer(incoming)))
  }
  return (request, response, next) => {
    answer(request, response, next).catch((error: unknown) => fail(response, error, next))
  }
}

/** Leaves an error of the host to the host. A listener alone answers it, so that the process goes on. */
function fail(response: ServerResponse, error: unknown, next: Next | undefined): void {
  if (next) return next(error)
  if (response.headersSent) return void response.destroy()
  response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
  response.end()
}

const parsedAlready =
  'The body of this request was read before Quire could: register Quire before parsers such as express.json().'

function fromNode(request: ExpressRequest, response: ServerResponse): IncomingRequest {
  const { headers, method = 'GET' } = request
  return {
    method,
    // Express removes the path of a mounted router from `url`.
    url: request.originalUrl ?? request.url ?? '/',
    header: (name) => headers[name]?.toString(),
    body: () => (hasBody(request) ? request.iterator({ destroyOnReturn: false }) : null),
    signal: () => leavingOf(response),
    address: request.socket.remoteAddress,
    request: () => requestOf(request),
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Aborts when the caller disconnects before the response is complete. */
function leavingOf(response: ServerResponse): AbortSignal {
  const leaving = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) leaving.abort()
  })
  return leaving.signal
}

/** The head of a request, for callbacks of the host. */
function requestOf({ method = 'GET', headers, originalUrl, url = '/' }: ExpressRequest): Request {
  const given = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value.toString()]],
  )
  return new Request(new URL(originalUrl ?? url, `http://${headers.host ?? 'localhost'}`), {
    method,
    headers: given,
  })
}

async function send(response: ServerResponse, { status, headers, body }: OutgoingResponse): Promise<void> {
  response.writeHead(status, headers)
  if (body === null || typeof body === 'string') return void response.end(body ?? undefined)
  // The headers of a stream are sent before its first piece, which may come much later.
  response.flushHeaders()
  const pieces = Readable.from(body, { objectMode: false, highWaterMark: 1 })
  // A caller who leaves is no error of the host.
  await pipeline(pieces, response).catch(() => response.destroy())
}
