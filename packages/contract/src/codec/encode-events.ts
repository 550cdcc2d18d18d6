/** An event on its way to whoever follows. */
export interface StreamedEvent<T = unknown> {
  /** Where to go on from after it. One line. */
  readonly id?: string
  /** What a browser listens for; without one it is a `message`. One line. */
  readonly name?: string
  readonly data: T
}

/** The body of a stream, piece by piece. To leave it (`return`) ends it at once, also while it waits. */
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

/** What the request says of the stream, and how it is sent. */
export interface EventsContext {
  readonly method: string
  readonly requestId: string
  /** Ms without an event after which a sign of life is sent. Default: 15 000. */
  readonly heartbeatMs?: number | undefined
}

/** Proxies close what is silent for a minute, many for half of one. At twice, one lost piece is a closed stream. */
const defaultHeartbeatMs = 15_000

/** Ms after which a browser comes back once its stream has ended. */
const retryMs = 2000

/** Events as a response: Server-Sent Events (WHATWG HTML §9.2), which no cache keeps and no proxy is to hold back. */
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

/** No generator: one that waits for its next event could not be left before that has come. */
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

// JSON has no line ends but in escapes, so that the data is one line.
function textOf({ id, name, data }: StreamedEvent): string {
  const branches = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`event: ${name}`]),
    `data: ${JSON.stringify(data)}`,
  ]
  return `${branches.join('\n')}\n\n`
}

/** What comes within so many ms, or null. */
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
