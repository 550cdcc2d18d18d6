import type { FastifyReply } from 'fastify'

/**
 * A signal that aborts when the caller disconnects before the response is complete. Remote work for
 * it then ends too (TRUST S28).
 */
export function leavingOf({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) leaving.abort()
  })
  return leaving.signal
}
