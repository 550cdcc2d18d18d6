import { QuireError, type Endpoint } from '@quire/contract'
import type { FastifyReply } from 'fastify'
import { isStreamed } from './streams.ts'

/** How long an answer may take (TRUST 4.2). At half, a large merge beside others could pass it; at twice, proxies give up first. */
export const answerMs = 30_000

/**
 * Answers 503 in place of an operation that takes too long, so that no caller waits without an end. The operation itself goes on and may
 * still succeed. Files take as long as they take. Gives what ends the watch.
 */
export function watchAnswer({ answer, body }: Endpoint, reply: FastifyReply, ms = answerMs): () => void {
  if (
    answer === 'bytes' ||
    answer === 'passed' ||
    body === 'multipart' ||
    body === 'jsonOrMultipart' ||
    isStreamed({ body })
  )
    return () => undefined
  const timer = setTimeout(() => {
    void reply.send(
      new QuireError(
        'unavailable',
        `This takes longer than ${ms / 1000} s. It may still be done: look before you retry.`,
        { details: { retryAfter: ms / 1000 } },
      ),
    )
  }, ms)
  timer.unref()
  return () => clearTimeout(timer)
}
