import { maxParamLength } from '@quire/http/shared'
import { fastify, type FastifyInstance } from 'fastify'
import { addConsole } from '../console/console.ts'
import { addExplorer, type ExplorerOptions } from '../explorer/explorer.ts'
import { answerClientError, refuseExpectation, requireSoundHead } from './client-error.ts'
import { addFrontPage } from './front-page.ts'
import { guard, type GuardOptions } from './guard.ts'
import { addHealth } from './health.ts'
import { addMcp, type McpOptions } from './mcp.ts'
import { notFound, refuseAddress } from './not-found.ts'
import { addRoutes } from './routes.ts'
import { endConnections } from './end-connections.ts'

export interface ServerOptions extends GuardOptions {
  /**
   * The API explorer at /api-docs: `public` serves it to everybody, `off` not at all. Default:
   * `public`.
   */
  readonly explorer?: ExplorerOptions['mode']
  /** The page of `@quire/console` at /console/, if that is installed; `off`: not at all. Default: there. */
  readonly console?: 'on' | 'off'
  /** The public address of the service, without a trailing slash; the same as the engine's. */
  readonly baseUrl: string
  /**
   * Proxies whose X-Forwarded-For is trusted: addresses or CIDR ranges, separated by commas.
   * Default: none (TRUST S09).
   */
  readonly trustProxy?: string
  /** The endpoint for agents at /api/mcp, and who issues tokens for it; false: none. Default: there. */
  readonly mcp?: Pick<McpOptions, 'authorizationServers'> | false
}

const second = 1000
const minute = 60 * second

/** TRUST 4.2. Node's defaults are looser, and Fastify turns some of them off. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 15 * second,
  // How often Node checks for timeouts. With its default of 30 s, a timeout of 15 s could take 45.
  connectionsCheckingInterval: 5 * second,
  requestTimeout: 15 * minute,
  keepAliveTimeout: 72 * second,
  // More than requests at once: an idle connection costs little, and a refused one gets no response
  // at all.
  maxConnections: 10_000,
}

/**
 * Creates a Fastify app that serves an engine: the API, /livez and /readyz, and the explorer. Call
 * `listen` on it. `close` finishes requests under way, within ten seconds. The caller must close
 * the engine.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { maxHeaderSize, headersTimeout, connectionsCheckingInterval } = limits
  const app = fastify({
    logger: false,
    http: { maxHeaderSize, headersTimeout, connectionsCheckingInterval, requireHostHeader: false },
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.keepAliveTimeout,
    schemaController: { compilersFactory: noCompilers },
    // While the server stops, the guard answers 503 with our error body.
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
  const hasConsole = options.console !== 'off' && addConsole(app, options.quire)
  addFrontPage(app, { quire: options.quire, hasConsole, hasExplorer: options.explorer !== 'off' })
  addExplorer(app, { mode: options.explorer ?? 'public', baseUrl: options.baseUrl })
  addRoutes(app, options)
  if (options.mcp !== false) addMcp(app, { ...options.mcp, quire: options.quire, cors: options.cors })
  return app
}

// The contract validates inputs. Without this, Fastify would load its two schema compilers on every
// start: 0.1 s and several megabytes.
const noCompilers = { buildValidator: refuseSchema, buildSerializer: refuseSchema }

function refuseSchema(): never {
  throw new Error('A route declares a Fastify schema, but the contract validates inputs: remove the schema.')
}

// The routes read the query string themselves.
const noQuery = Object.freeze({})
