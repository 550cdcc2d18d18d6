import { QuireError } from '@quire/contract'
import { encodeTokenError } from '@quire/contract/codec'
import type { FastifyReply } from 'fastify'
import { send, sendError } from './send.ts'
import { translateError } from './translate-error.ts'

/** The error handler of the token endpoint, whose body is `{ error }` also for a request that cannot be read (specification 7.2). */
export function sendTokenError(error: unknown, _request: unknown, reply: FastifyReply): void {
  const known = translateError(error)
  if (known instanceof QuireError) send(reply, encodeTokenError(known, reply.request.id))
  else sendError(reply, known)
}
