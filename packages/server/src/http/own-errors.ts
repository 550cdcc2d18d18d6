import { QuireError } from '@quire/contract'
import { encodeTokenError, encodeWorkflowError, type Reply } from '@quire/contract/codec'
import type { FastifyReply } from 'fastify'
import { send, sendError } from './send.ts'
import { outliveRefusal } from './streams.ts'
import { translateError } from './translate-error.ts'

/** The error handler of a route whose error bodies have their own shape. */
type ErrorHandler = (error: unknown, request: unknown, reply: FastifyReply) => void

/**
 * For the token endpoint: the body is `{ error }`, even for a request that cannot be read
 * (specification 7.2).
 */
export const sendTokenError = errorsAs(encodeTokenError)

/**
 * For workflow events: an invalid request is answered in the shape of a result (specification 7.4).
 */
export const sendWorkflowError = errorsAs(encodeWorkflowError)

function errorsAs(encode: (error: QuireError, requestId: string) => Reply): ErrorHandler {
  return (error, _request, reply) => {
    const known = translateError(error)
    outliveRefusal(reply)
    if (known instanceof QuireError) send(reply, encode(known, reply.request.id))
    else sendError(reply, known)
  }
}
