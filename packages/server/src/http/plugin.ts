import type { FastifyInstance } from 'fastify'
import { addConsole } from '../console/console.ts'
import { addExplorer, type ExplorerOptions } from '../explorer/explorer.ts'
import { addPreflights } from './cors.ts'
import { guard, type GuardOptions } from './guard.ts'
import { addHealth } from './health.ts'
import { addMcp, type McpOptions } from './mcp.ts'
import { notFound } from './not-found.ts'
import { addRoutes } from './routes.ts'

/** Options of `quirePlugin`; `prefix` is Fastify's own. */
export interface QuirePluginOptions extends GuardOptions {
  readonly prefix?: string
  /**
   * The API explorer and the OpenAPI document at `/api-docs` below the prefix: `public` serves them
   * to everybody. Default: `off`.
   */
  readonly explorer?: ExplorerOptions['mode']
  /** The page of `@quire/console` at `/console/` below the prefix, if that is installed. Default: `off`. */
  readonly console?: 'on' | 'off'
  /** Whether to serve `/livez` and `/readyz` below the prefix. Default: false. */
  readonly health?: boolean
  /** The endpoint for agents at `/api/mcp` below the prefix, and who issues tokens for it. Default: none. */
  readonly mcp?: Pick<McpOptions, 'authorizationServers'>
}

/**
 * Mounts an engine into a Fastify app: `app.register(quirePlugin, { quire, prefix: '/cms' })`. Its
 * hooks, parsers and error bodies apply to its own routes only. With a prefix it also answers
 * unknown paths below it; without one, the app does. `baseUrl` of the engine must include the
 * prefix.
 */
export async function quirePlugin(app: FastifyInstance, options: QuirePluginOptions): Promise<void> {
  guard(app, options)
  if (app.prefix === '') addPreflights(app)
  else app.setNotFoundHandler(notFound)
  if (options.health === true) addHealth(app, options.quire)
  addExplorer(app, { mode: options.explorer ?? 'off', baseUrl: options.quire.baseUrl })
  if (options.console === 'on') addConsole(app, options.quire)
  addRoutes(app, options)
  if (options.mcp) addMcp(app, { ...options.mcp, quire: options.quire, cors: options.cors })
}
