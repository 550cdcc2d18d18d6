import { QuireError } from '@quire/contract'
import { encodeTokenError, encodeWorkflowError, type Reply } from '@quire/contract/codec'
import type { FastifyReply } from 'fastify'
import { send, sendError } from './send.ts'
import { outliveRefusal } from './streams.ts'
import { translateError } from './translate-error.ts'

/** The error handler of a route whose errors have a body of their own. */
type ErrorHandler = (error: unknown, request: unknown, reply: FastifyReply) => void

/** Of the token endpoint, whose body is `{ error }` also for a request that cannot be read (specification 7.2). */
export const sendTokenError = errorsAs(encodeTokenError)

/** Of workflow events, where a bad request has the shape of the answer (specification 7.4). */
export const sendWorkflowError = errorsAs(encodeWorkflowError)

function errorsAs(encode: (error: QuireError, requestId: string) => Reply): ErrorHandler {
  return (error, _request, reply) => {
    const known = translateError(error)
    outliveRefusal(reply)
    if (known instanceof QuireError) send(reply, encode(known, reply.request.id))
    else sendError(reply, known)
  }
}
