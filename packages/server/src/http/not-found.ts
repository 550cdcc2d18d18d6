import { contract, QuireError } from '@quire/contract'
import { encodeError, encodeTokenError } from '@quire/contract/codec'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKnownPath } from './known-paths.ts'
import { send, sendError } from './send.ts'
import { translateError } from './translate-error.ts'

/**
 * Most characters of one path parameter. The longest slug has 500. With Fastify's default of 100, a
 * longer one would fail without a clear reason (TRUST 4.2).
 */
export const maxParamLength = 512

/**
 * Answers a request that no route matched: 405 for a known path with another method, otherwise 404
 * with the usual body.
 */
export function notFound(request: FastifyRequest, reply: FastifyReply): void {
  const known = findKnownPath(addressOf(request))
  if (!known || known.methods.includes(request.method)) return sendError(reply, new QuireError('not_found'))
  const encode = addressOf(request) === contract.auth.token.path ? encodeTokenError : encodeError
  const { headers, ...encoded } = encode(new QuireError('method_not_allowed'), request.id)
  send(reply, { ...encoded, headers: { ...headers, allow: known.methods.join(', ') } })
}

/**
 * Rejects empty path parameters: `/api/items/magazine/` is not an item. The rest of a path (`*`)
 * may be empty. Errors: `not_found`.
 */
export function requireNames(params: object): void {
  for (const [name, value] of Object.entries(params))
    if (value === '' && name !== '*')
      throw new QuireError('not_found', `There is nothing at this address: it has no ${name}.`)
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

/**
 * Whether an address that no route matched may be answered without a token: it belongs to no path
 * of the contract, or to one that needs none. The contract is public, so that reveals nothing.
 */
export function isPublicPath(request: FastifyRequest): boolean {
  return findKnownPath(addressOf(request))?.isPublic !== false
}

/** The path of a request below the prefix of the routes, without its query string. */
export function addressOf({ raw, server }: FastifyRequest): string {
  const [address = ''] = (raw.url ?? '').split(/[?#]/)
  return address.startsWith(server.prefix) ? address.slice(server.prefix.length) : address
}

function longName(request: FastifyRequest): QuireError {
  const params = Object.entries(findKnownPath(addressOf(request))?.params ?? {})
  const path = params.find(([, value]) => value.length > maxParamLength)?.[0] ?? ''
  const message = `is longer than ${maxParamLength} characters`
  return new QuireError('invalid', `${path || 'A part of the path'}: ${message}`, {
    issues: [{ path, message }],
  })
}
