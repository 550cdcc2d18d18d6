import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { bringsBody } from './fetch/request-input.ts'
import type { FetchHandler, RequestContext } from './fetch/options.ts'

/** Called when a request is not for Quire, or with an error. */
type Next = (error?: unknown) => void

/** A listener of `node:http`, and a middleware of Express and Connect. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse, next?: Next) => Promise<void>

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
 * handler's base path is passed on, or is 404 without something to pass it to. Register it before
 * parsers of bodies such as `express.json()`.
 * @example
 * createServer(toNodeHandler(handler)).listen(3000)
 * app.use(toNodeHandler(handler)) // Express
 */
export function toNodeHandler(handler: FetchHandler, { context }: NodeHandlerOptions = {}): NodeHandler {
  return async (incoming: ExpressRequest, response, next) => {
    const request = new NodeRequest({ req: incoming, res: response })
    if (incoming.body !== undefined && incoming.readableEnded && bringsBody(request)) {
      const problem = new Error(parsedAlready)
      if (next) return next(problem)
      throw problem
    }
    const known = context?.(incoming)
    // Express removes the path of a mounted router from `url`.
    const { originalUrl } = incoming
    const { response: answer } = await handler.handle(request, {
      ...(known && { context: known }),
      ...(originalUrl !== undefined && { url: `http://host${originalUrl}` }),
    })
    if (answer) return sendNodeResponse(response, answer)
    return next ? next() : sendNodeResponse(response, await handler(request))
  }
}

const parsedAlready =
  'The body of this request was read before Quire could: register Quire before parsers such as express.json().'
