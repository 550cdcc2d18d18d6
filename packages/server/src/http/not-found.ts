import { QuireError } from '@quire/contract'
import { encodeError, encodeTokenError } from '@quire/contract/codec'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKnownPath, isTokenPath, longNameIn, unknownError } from '@quire/http/shared'
import { send, sendError } from './send.ts'
import { sendsSitePage } from './site-error-page.ts'
import { translateError } from './translate-error.ts'

/**
 * Answers a request that no route matched: 405 for a known path with another method, otherwise 404
 * with the usual body, or for a browser a page.
 */
export function notFound(request: FastifyRequest, reply: FastifyReply): void {
  const address = addressOf(request)
  const { error, known } = unknownError(address, request.method)
  if (error.code === 'not_found') {
    if (!sendsSitePage(reply, error)) sendError(reply, error)
    return
  }
  const encode = isTokenPath(address) ? encodeTokenError : encodeError
  const { headers, ...encoded } = encode(error, request.id)
  send(reply, { ...encoded, headers: { ...headers, allow: known?.methods.join(', ') ?? '' } })
}

/**
 * Answers an address that the router rejected before any hook: malformed, or with a parameter that
 * is too long.
 */
export function refuseAddress(
  error: Error & { code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  sendError(reply, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? longName(request) : translateError(error))
}

/** The path of a request below the prefix of the routes, without its query string. */
export function addressOf({ raw, server }: FastifyRequest): string {
  const [address = ''] = (raw.url ?? '').split(/[?#]/)
  return address.startsWith(server.prefix) ? address.slice(server.prefix.length) : address
}

function longName(request: FastifyRequest): QuireError {
  const { params = {} } = findKnownPath(addressOf(request)) ?? {}
  return longNameIn(params) ?? new QuireError('invalid', 'A part of the path is too long.')
}
