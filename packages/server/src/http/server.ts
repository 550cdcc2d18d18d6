import { fastify, type FastifyInstance } from 'fastify'
import { addExplorer, type ExplorerOptions } from '../explorer/explorer.ts'
import { answerClientError, refuseExpectation, requireSoundHead } from './client-error.ts'
import { guard, type GuardOptions } from './guard.ts'
import { addHealth } from './health.ts'
import { maxParamLength, notFound, refuseAddress } from './not-found.ts'
import { addRoutes } from './routes.ts'
import { endConnections } from './end-connections.ts'

/** What `createServer` takes. */
export interface ServerOptions extends GuardOptions {
  /** The API explorer at /api-docs: `public` serves it to everybody, `off` not at all. Default: `public`. */
  readonly explorer?: ExplorerOptions['mode']
  /** The public address of the service, without a trailing slash, as the engine has it. */
  readonly baseUrl: string
  /** Proxies whose X-Forwarded-For is believed: addresses or CIDR ranges, with commas. Default: none (TRUST S09). */
  readonly trustProxy?: string
}

const second = 1000
const minute = 60 * second

/** TRUST 4.2. Node's own defaults are looser, and Fastify switches some of them off. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15 * second,
  // How often Node looks for what is late: its 30 s would make 45 of 15.
  connectionsCheckingInterval: 5 * second,
  requestTimeout: 15 * minute,
  keepAliveTimeout: 72 * second,
  // More connections than requests at once: an idle one costs little, a refused one gets no answer at all.
  maxConnections: 10_000,
}

/**
 * A Fastify app that serves an engine: the API, /livez and /readyz, and the explorer. Call `listen` on it; `close` finishes
 * what is under way, within ten seconds. The engine stays the caller's to close.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { maxHeaderSize, headersTimeout, connectionsCheckingInterval } = limits
  const app = fastify({
    logger: false,
    http: { maxHeaderSize, headersTimeout, connectionsCheckingInterval, requireHostHeader: false },
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    schemaController: { compilersFactory: noCompilers },
    // While it stops the guard answers 503, with our error body.
    return503OnClosing: false,
    routerOptions: { maxParamLength, querystringParser: () => noQuery },
    frameworkErrors: refuseAddress,
    clientErrorHandler: answerClientError,
    ...(options.trustProxy !== undefined && { trustProxy: options.trustProxy }),
  })
  app.server.maxConnections = limits.maxConnections
  app.server.on('checkExpectation', refuseExpectation)
  app.addHook('onRequest', requireSoundHead)
  endConnections(app, guard(app, options))
  app.setNotFoundHandler(notFound)
  addHealth(app, options.quire)
  addExplorer(app, { mode: options.explorer ?? 'public', baseUrl: options.baseUrl })
  addRoutes(app, options)
  return app
}

// Inputs are the contract's to check. Without this Fastify loads its two schema compilers at every start: 0.1 s and some megabytes.
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('A route declares a Fastify schema: inputs are checked by the contract.')
}

// The routes read the query string themselves.
const noQuery = Object.freeze({})
