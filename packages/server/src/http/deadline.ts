import type { Endpoint } from '@quire/contract'
import { answerMs, hasDeadline, tooSlow } from '@quire/http/shared'
import type { FastifyReply } from 'fastify'

/**
 * Answers 503 when an operation takes too long, so that no caller waits forever. The operation
 * continues and may still succeed. Files have no limit. Returns a function that ends the watch.
 */
export function watchAnswer(endpoint: Endpoint, reply: FastifyReply, ms = answerMs): () => void {
  if (!hasDeadline(endpoint)) return () => undefined
  const timer = setTimeout(() => void reply.send(tooSlow(ms)), ms)
  timer.unref()
  return () => clearTimeout(timer)
}
