import type { Streamed } from '@quire/contract/api'
import { QuireError } from '@quire/contract/client'
import { createEventsDecoder, foreignError } from '@quire/contract/events'
import type { OutgoingCall } from './repeatable.ts'

/**
 * The events of a response, read as they arrive. Leaving the loop calls `end`. Errors: QuireError
 * if the response is not an event stream.
 */
export function eventsOf(call: OutgoingCall, response: Response, end: () => void): Streamed<unknown> {
  const header = (name: string) => response.headers.get(name)
  const { body, status } = response
  if (!body || !header('content-type')?.startsWith('text/event-stream')) {
    end()
    throw foreignError(call.route, { status, header })
  }
  return { [Symbol.asyncIterator]: () => reading(call, body, { end, requestId: header('x-request-id') }) }
}

interface Ending {
  readonly end: () => void
  readonly requestId: string | null
}

/**
 * Not a generator, because a generator that is waiting for its next event could not be left before
 * the event arrives.
 */
function reading(
  call: OutgoingCall,
  body: ReadableStream<Uint8Array>,
  { end, requestId }: Ending,
): AsyncIterator<unknown> {
  const reader = body.getReader()
  const decode = createEventsDecoder()
  const utf8 = new TextDecoder()
  let ready: unknown[] = []
  let isLeft = false
  return {
    async next() {
      const { signal } = call.options
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
        throw signal?.aborted ? signal.reason : brokenOff(call, requestId, error)
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

function brokenOff({ route }: OutgoingCall, requestId: string | null, cause: unknown): QuireError {
  return new QuireError('unavailable', `${route.method} ${route.path} broke off: ${String(cause)}.`, {
    cause,
    ...(requestId !== null && { requestId }),
  })
}
