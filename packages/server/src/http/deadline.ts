import { QuireError, type Endpoint } from '@quire/contract'
import type { FastifyReply } from 'fastify'
import { isStreamed } from './streams.ts'

/**
 * Milliseconds that a response may take (TRUST 4.2). At half, a large merge on a busy server could
 * exceed it; at twice, proxies time out first.
 */
export const answerMs = 30_000

/**
 * Answers 503 when an operation takes too long, so that no caller waits forever. The operation
 * continues and may still succeed. Files have no limit. Returns a function that ends the watch.
 */
export function watchAnswer({ answer, body }: Endpoint, reply: FastifyReply, ms = answerMs): () => void {
  if (
    answer === 'bytes' ||
    answer === 'proxied' ||
    body === 'multipart' ||
    body === 'jsonOrMultipart' ||
    isStreamed({ body })
  )
    return () => undefined
  const timer = setTimeout(() => {
    void reply.send(
      new QuireError(
        'unavailable',
        `The operation is taking longer than ${ms / 1000} s. It may still complete: check before you retry.`,
        { details: { retryAfter: ms / 1000 } },
      ),
    )
  }, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
