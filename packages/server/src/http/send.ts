import { encodeError, type Reply } from '@quire/contract/codec'
import type { QuireError, TokenError } from '@quire/contract'
import type { FastifyReply } from 'fastify'

/**
 * What every answer carries beside its own headers: its type is what it says, and no address of ours leaks to others.
 * Answers depend on who asks, so that no shared cache may hand one caller's to another (TRUST 38).
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Authorization',
} as const

/** Sends a reply of the codec as it is: no serializer touches the text. */
export function send(reply: FastifyReply, { status, headers, body }: Reply): void {
  void reply.code(status).headers(commonHeaders).headers(headers).send(body)
}

/** Sends an error as its body. */
export function sendError(reply: FastifyReply, error: QuireError | TokenError): void {
  send(reply, encodeError(error, reply.request.id))
}
