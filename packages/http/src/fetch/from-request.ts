import type { IncomingRequest, OutgoingResponse } from './transport.ts'

/** A request of the fetch API. */
export function fromRequest(request: Request, url = request.url): IncomingRequest {
  const { method, headers } = request
  return {
    method,
    url,
    header: (name) => headers.get(name),
    body: () => request.body as AsyncIterable<Uint8Array> | null,
    signal: () => request.signal,
    address: undefined,
    request: () => request,
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
