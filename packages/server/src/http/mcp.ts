import { limits, QuireError } from '@quire/contract'
import type { CorsOptions } from '@quire/contract/codec'
import type { Quire } from '@quire/core'
import { commonHeaders, credentialOf, nobody, originOf } from '@quire/http/shared'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { once } from '../once.ts'
import { OperatorError } from '../operator-error.ts'
import { withPackage } from '../optional-package.ts'
import { serverVersion } from '../version.ts'
import { declaredAccess } from './declared-access.ts'
import { headerOf } from './header-of.ts'
import { leavingOf } from './leaving.ts'

/** Options of the endpoint for agents. */
export interface McpOptions {
  readonly quire: Quire
  /** Which pages of other origins may connect. Default: none. */
  readonly cors?: CorsOptions | undefined
  /** The issuers of tokens that clients can sign in at, as addresses. Default: none. */
  readonly authorizationServers?: readonly string[] | undefined
}

const path = '/api/mcp'
const metadataPath = '/.well-known/oauth-protected-resource'

/**
 * Serves the Model Context Protocol at /api/mcp, for agents, if `@quire/mcp` is installed. It is loaded by
 * the first request.
 * With issuers, clients learn from its metadata where to get a token (RFC 9728).
 */
export function addMcp(app: FastifyInstance, options: McpOptions): void {
  const { quire, cors, authorizationServers = [] } = options
  const resource = `${quire.baseUrl}${path}`
  const handler = once(async () => {
    const { createMcpHandler } = await loadProtocol()
    return createMcpHandler(quire, { version: serverVersion(), trustedOrigins: cors?.origins ?? [] })
  })
  // Without sessions there is nothing to listen to, nor to end.
  app.route({
    method: ['GET', 'DELETE'],
    url: path,
    config: declaredAccess('public'),
    handler: () => {
      throw new QuireError('method_not_allowed', undefined, { details: { allow: 'POST' } })
    },
  })
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_: FastifyRequest, body: string) => body,
    )
    if (authorizationServers.length > 0) scope.addHook('onSend', nameMetadata(resource))
    scope.route({
      method: 'POST',
      url: path,
      bodyLimit: limits.itemBodyBytes,
      config: declaredAccess('authenticated'),
      handler: async (request, reply) => {
        // A page that a browser shows may hold a cookie, and be anyone's.
        if (credentialOf(headerOf(request))?.isCookie)
          throw new QuireError('unauthorized', 'Send an access token as a bearer token, not as a cookie.')
        const answer = await handler()
        const { ip: address, principal } = request
        const meter = request.server.load.time.meterOf(request.caller)
        const origin = originOf(headerOf(request), { address, meter, signedText: undefined })
        const asked = requestOf(request, { url: resource, signal: leavingOf(reply) })
        return sendResponse(reply, await answer(asked, { principal: principal ?? nobody, origin }))
      },
    })
  })
  if (authorizationServers.length === 0) return
  const metadata = {
    resource,
    authorization_servers: authorizationServers,
    bearer_methods_supported: ['header'],
  }
  for (const url of [metadataPath, `${metadataPath}${path}`]) {
    app.get(url, { config: { ...declaredAccess('public'), everyOrigin: true } }, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(JSON.stringify(metadata)),
    )
  }
}

/** Errors: `not_found` where `@quire/mcp` is not installed. */
async function loadProtocol() {
  try {
    return await withPackage('@quire/mcp', () => import('@quire/mcp'))
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    throw new QuireError('not_found', error.message, { cause: error })
  }
}

/** Tells clients without a token where the metadata is. */
function nameMetadata(resource: string) {
  const address = new URL(`${metadataPath}${path}`, resource).href
  return async (_request: FastifyRequest, reply: FastifyReply) => {
    if (reply.statusCode === 401)
      void reply.header('www-authenticate', `Bearer resource_metadata="${address}"`)
  }
}

/** The request for the handler, whose body is text by now. */
function requestOf(
  { headers, body }: FastifyRequest,
  { url, signal }: { url: string; signal: AbortSignal },
): Request {
  const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === 'content-length' ? [] : [[name, value.toString()]],
  )
  return new Request(url, { method: 'POST', headers: sent, body: String(body), signal })
}

function sendResponse(reply: FastifyReply, { status, headers, body }: Response): FastifyReply {
  return reply
    .code(status)
    .headers({ ...commonHeaders, ...Object.fromEntries(headers) })
    .send(body)
}
