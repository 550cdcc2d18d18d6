import type { FastifyInstance } from 'fastify'
import { guard, type GuardOptions } from './guard.ts'
import { notFound } from './not-found.ts'
import { addRoutes } from './routes.ts'

/** Options of `quirePlugin`; `prefix` is Fastify's own. */
export interface QuirePluginOptions extends GuardOptions {
  readonly prefix?: string
}

/**
 * Mounts an engine into any Fastify app: `app.register(quirePlugin, { quire, prefix: '/cms' })`. Its hooks, parsers and error
 * bodies hold for its own routes only. With a prefix it also answers what it does not know below it; without one that is the
 * app's business. `baseUrl` of the engine must name the same place.
 */
export async function quirePlugin(app: FastifyInstance, options: QuirePluginOptions): Promise<void> {
  guard(app, options)
  if (app.prefix !== '') app.setNotFoundHandler(notFound)
  addRoutes(app, options)
}
