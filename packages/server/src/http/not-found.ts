import { contract, QuireError } from '@quire/contract'
import { encodeError, encodeTokenError } from '@quire/contract/codec'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findKnownPath } from './known-paths.ts'
import { send, sendError } from './send.ts'
import { translateError } from './translate-error.ts'

/** Characters of one name in a path. The longest slug has 500; Fastify's 100 would make a longer one a riddle (TRUST 4.2). */
export const maxParamLength = 512

/** What no route took: a known path with another method is 405, everything else 404 with the body of a thing that is not there. */
export function notFound(request: FastifyRequest, reply: FastifyReply): void {
  const known = findKnownPath(addressOf(request))
  if (!known || known.methods.includes(request.method)) return sendError(reply, new QuireError('not_found'))
  const encode = addressOf(request) === contract.auth.token.path ? encodeTokenError : encodeError
  const { headers, ...encoded } = encode(new QuireError('method_not_allowed'), request.id)
  send(reply, { ...encoded, headers: { ...headers, allow: known.methods.join(', ') } })
}

/** A name of a path that is empty names nothing: `/api/items/magazine/` is no item. What stands for the rest of a path may be. Errors: `not_found`. */
export function requireNames(params: object): void {
  for (const [name, value] of Object.entries(params))
    if (value === '' && name !== '*')
      throw new QuireError('not_found', `There is nothing at this address: it has no ${name}.`)
}

/** Answers an address that the router refused before any hook: malformed, or with a name that is too long. */
export function refuseAddress(
  error: Error & { code?: string },
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  sendError(reply, error.code === 'FST_ERR_MAX_PARAM_LENGTH' ? longName(request) : translateError(error))
}

/** Whether an address that no route took belongs to a path that needs no token. */
export function isPublicPath(request: FastifyRequest): boolean {
  return findKnownPath(addressOf(request))?.isPublic === true
}

function addressOf({ raw, server }: FastifyRequest): string {
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
