/** An event to send to a subscriber. */
export interface StreamedEvent<T = unknown> {
  /** The position from which a subscriber can continue after it. A single line. */
  readonly id?: string
  /** The event name that a browser listens for. Default: `message`. A single line. */
  readonly name?: string
  readonly data: T
}

/** The body of a stream, piece by piece. `return` ends it at once, even while it is waiting. */
export type EventTexts = Required<
  Pick<AsyncIterableIterator<string>, 'next' | 'return' | typeof Symbol.asyncIterator>
>

/** A response whose body is events. */
export interface EventsReply {
  readonly status: 200
  readonly headers: Readonly<Record<string, string>>
  /** Undefined: no body. Errors: QuireError. */
  readonly open: (() => EventTexts) | undefined
}

/** The parts of the request that affect the stream, and how it is sent. */
export interface EventsContext {
  readonly method: string
  readonly requestId: string
  /** Milliseconds without an event after which a heartbeat is sent. Default: 15 000. */
  readonly heartbeatMs?: number | undefined
}

/**
 * Proxies close a connection that is silent for a minute, many already after 30 seconds. At twice
 * this value, one lost heartbeat would close the stream.
 */
const defaultHeartbeatMs = 15_000

/** Milliseconds after which a browser reconnects when its stream has ended. */
const retryMs = 2000

/**
 * Events as a response: Server-Sent Events (WHATWG HTML §9.2), with headers against caching and
 * buffering by proxies.
 */
export function encodeEvents(
  events: { messages(): AsyncIterator<StreamedEvent> },
  { method, requestId, heartbeatMs = defaultHeartbeatMs }: EventsContext,
): EventsReply {
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': requestId,
  }
  const open = () => textsOf(events.messages(), heartbeatMs)
  return { status: 200, headers, open: method === 'HEAD' ? undefined : open }
}

/**
 * Not a generator, because a generator that is waiting for its next event could not be left before
 * the event arrives.
 */
function textsOf(events: AsyncIterator<StreamedEvent>, heartbeatMs: number): EventTexts {
  let isBegun = false
  let awaited: Promise<IteratorResult<StreamedEvent>> | undefined
  return {
    async next() {
      if (!isBegun) {
        isBegun = true
        return { done: false, value: `retry: ${retryMs}\n\n` }
      }
      awaited ??= events.next()
      const step = await orNothing(awaited, heartbeatMs)
      if (step === null) return { done: false, value: ':\n\n' }
      awaited = undefined
      return step.done ? { done: true, value: undefined } : { done: false, value: textOf(step.value) }
    },
    async return() {
      await events.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

// JSON text contains line breaks only as escapes, so the data is a single line.
function textOf({ id, name, data }: StreamedEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  return `${lines.join('\n')}\n\n`
}

/** The value of a promise, or null if it does not settle within the given milliseconds. */
async function orNothing<T>(coming: Promise<T>, ms: number): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms)
  })
  try {
    return await Promise.race([coming, late])
  } finally {
    clearTimeout(timer)
  }
}
