import { createCors, type CorsOptions } from '@quire/contract/codec'
import { endpoints } from '@quire/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { declaredAccess } from './declared-access.ts'
import { commonHeaders, findKnownPath } from '@quire/http/shared'
import { addressOf, notFound } from './not-found.ts'
import { addVary, sendError } from './send.ts'
import { translateError } from './translate-error.ts'

/**
 * Lets pages of other origins read responses, errors included, as far as the options allow it.
 * Preflights are answered before authentication, because browsers send them without a token.
 */
export function admitOrigins(app: FastifyInstance, options: CorsOptions | undefined): void {
  const cors = createCors(options)
  app.addHook('onRequest', (request, reply, proceed) => {
    const { origin } = request.headers
    if (isPreflight(request)) return answerPreflight(request, reply)
    const isForAll = request.routeOptions.config.everyOrigin === true
    void reply.headers(cors.headers({ origin, isForAll }))
    proceed()
  })
  if (!cors.isByOrigin) return
  app.addHook('onSend', async (request, reply) => {
    if (request.routeOptions.config.everyOrigin !== true) addVary(reply, 'Origin')
  })

  function answerPreflight(request: FastifyRequest, reply: FastifyReply): void {
    const { origin, 'access-control-request-headers': headers } = request.headers
    const known = findKnownPath(addressOf(request))
    const { methods = [], everyOrigin: isForAll = false } = known ?? {}
    try {
      const allowed = cors.preflight({ origin, isForAll, methods, headers })
      void reply
        .code(204)
        .headers({ ...commonHeaders, ...allowed, 'x-request-id': request.id })
        .send()
    } catch (error) {
      sendError(reply, translateError(error))
    }
  }
}

/**
 * Adds a route for the preflights of an app that answers unknown paths itself: hooks run only for
 * routes that match. Other OPTIONS requests are answered as for any method that a path lacks.
 */
export function addPreflights(app: FastifyInstance): void {
  const roots = new Set(endpoints.map(({ endpoint }) => endpoint.path.split('/')[1]))
  for (const root of roots)
    app.options(`/${root}/*`, { config: declaredAccess('public') }, (request, reply) =>
      notFound(request, reply),
    )
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return (
    method === 'OPTIONS' &&
    headers.origin !== undefined &&
    headers['access-control-request-method'] !== undefined
  )
}
