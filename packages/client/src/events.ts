import type { Streamed } from '@quire/contract/api'
import { createEventsDecoder } from '@quire/contract/events'

/** A stream of events that is open. */
export interface OpenEvents {
  readonly body: ReadableStream<Uint8Array>
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Ends the request. */
  readonly end: () => void
  /** The error for a stream that broke off. */
  readonly brokenOff: (cause: unknown) => Error
}

/** The events of a response, read as they arrive. Leaving the loop calls `end`. */
export function eventsOf(open: OpenEvents): Streamed<unknown> {
  return { [Symbol.asyncIterator]: () => reading(open) }
}

/**
 * Not a generator, because a generator that is waiting for its next event could not be left before
 * the event arrives.
 */
function reading({ body, signal, end, brokenOff }: OpenEvents): AsyncIterator<unknown> {
  const reader = body.getReader()
  const decode = createEventsDecoder()
  const utf8 = new TextDecoder()
  let ready: unknown[] = []
  let isLeft = false
  return {
    async next() {
      try {
        signal?.throwIfAborted()
        while (ready.length === 0) {
          const { done, value } = await reader.read()
          if (done) return { done, value: undefined }
          ready = decode(utf8.decode(value, { stream: true }))
        }
        return { done: false, value: ready.shift() }
      } catch (error) {
        end()
        if (isLeft) return { done: true, value: undefined }
        throw signal?.aborted ? signal.reason : brokenOff(error)
      }
    },
    async return() {
      isLeft = true
      end()
      await reader.cancel().catch(() => undefined)
      return { done: true, value: undefined }
    },
  }
}
