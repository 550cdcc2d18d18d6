import type { ServerResponse } from 'node:http'
import type { EventTexts } from '@quire/contract/codec'

/** The open streams of events of an app. */
export interface OpenStreams {
  /** Returns the same stream, which ends when its reader leaves or the app closes. */
  add(texts: EventTexts, response: ServerResponse): EventTexts
  /** Ends all streams, and ends later ones as soon as they start. */
  close(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Shared by all routes of an app. */
    readonly openStreams: OpenStreams
  }
}

/**
 * Milliseconds after which a reader that reads nothing is disconnected. At half, a laptop that
 * wakes up finds its stream closed more often.
 */
const stallMs = 60_000

/** Creates an empty set of streams. */
export function createOpenStreams(): OpenStreams {
  const open = new Set<EventTexts>()
  let isClosed = false
  return {
    add(texts, response) {
      if (isClosed) void texts.return()
      else open.add(texts)
      return watched(texts, response, () => open.delete(texts))
    },
    close() {
      isClosed = true
      for (const texts of open) void texts.return()
    },
  }
}

/**
 * Watches a stream that is being sent: calls `ended` when it ends, and closes the connection when
 * no further piece is requested.
 */
function watched(texts: EventTexts, response: ServerResponse, ended: () => void): EventTexts {
  let timer: NodeJS.Timeout | undefined
  const end = () => {
    clearTimeout(timer)
    ended()
  }
  return {
    async next() {
      clearTimeout(timer)
      const step = await texts.next().catch((error: unknown) => {
        end()
        throw error
      })
      if (step.done) end()
      else timer = setTimeout(() => response.destroy(), stallMs).unref()
      return step
    },
    async return() {
      end()
      return texts.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
