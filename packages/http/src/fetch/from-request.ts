import type { IncomingRequest, OutgoingResponse } from './transport.ts'

/** A request of the fetch API. */
export function fromRequest(request: Request, url = request.url): IncomingRequest {
  const { method, headers } = request
  return {
    method,
    url,
    header: (name) => headers.get(name),
    body: () => bodyOf(request),
    signal: () => request.signal,
    address: undefined,
    request: () => request,
  }
}

/** The body as it arrives. In Firefox, whose requests have no `body`, it is read as a whole. */
function bodyOf(request: Request): AsyncIterable<Uint8Array> | null {
  if (request.body === undefined) return wholeOf(request)
  return request.body && chunksOf(request.body)
}

async function* wholeOf(request: Request): AsyncGenerator<Uint8Array> {
  yield new Uint8Array(await request.arrayBuffer())
}

/** The chunks of a stream, which is no `AsyncIterable` in Safari. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: of a request that was cloned, it only resolves when the clone is cancelled too.
    void reader.cancel().catch(() => undefined)
  }
}

/** A response of the fetch API. */
export function toResponse({ status, headers, body }: OutgoingResponse): Response {
  if (body === null || typeof body === 'string') return new Response(body, { status, headers })
  return new Response(streamOf(body), { status, headers })
}

function streamOf(pieces: AsyncIterable<Uint8Array | string>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: () => void iterator.return?.(),
  })
}
