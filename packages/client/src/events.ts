import type { Streamed } from '@quire/contract/api'
import type { QuireError } from '@quire/contract/client'
import { createEventsDecoder } from '@quire/contract/events'

/** A stream of events that is open. */
export interface OpenEvents {
  readonly body: ReadableStream<Uint8Array>
  /** The caller's signal. */
  readonly signal: AbortSignal | undefined
  /** Ends the request. */
  readonly end: () => void
  /** The headers of the response. */
  readonly headers: Headers
  /** An error for what happened to the call. */
  readonly failure: (what: string, cause: unknown) => QuireError
}

/** The events of a response, read as they arrive. Leaving the loop calls `end`. */
export function eventsOf(open: OpenEvents): Streamed<unknown> {
  return { [Symbol.asyncIterator]: () => reading(open) }
}

/**
 * Not a generator, because a generator that is waiting for its next event could not be left before
 * the event arrives.
 */
function reading({ body, headers, signal, end, failure }: OpenEvents): AsyncIterator<unknown> {
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
        if (signal?.aborted) throw signal.reason
        const brokenOff = failure(`broke off: ${String(error)}`, error)
        brokenOff.requestId = headers.get('x-request-id') ?? undefined
        throw brokenOff
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
