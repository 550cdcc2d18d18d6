import type { ServerResponse } from 'node:http'
import type { EventTexts } from '@quire/contract/codec'

/** The streams of events that an app sends. */
export interface OpenStreams {
  /** The same stream, until nobody takes it any more or the app closes. */
  add(texts: EventTexts, response: ServerResponse): EventTexts
  /** Ends all of them, and at once each that begins after that. */
  close(): void
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Shared by all that an app serves. */
    readonly openStreams: OpenStreams
  }
}

/** Who takes nothing for so long is gone, or holds a place for nothing. At half, a laptop that wakes up finds its stream closed more often. */
const stallMs = 60_000

/** None yet. */
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

/** A stream that is taken: `ended` is called with its end, and the connection is cut when no piece is asked for any more. */
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
