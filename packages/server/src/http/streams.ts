import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { QuireError } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import type { FastifyReply } from 'fastify'
import { interleaved, isStreamed, type Slots } from '@quire/http/shared'

/** The media type that Fastify parses bodies of bytes by, whatever type the client sent. */
export const bytesType = 'application/octet-stream'

/** Whether a request has a body. */
export function bringsBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a body may be larger and slower than JSON. */
export function isLarge(route: Route | undefined, contentType = ''): boolean {
  return isStreamed(route) || (/^multipart\/form-data/i.test(contentType) && route?.body !== 'json')
}

const windowMs = 30_000
const leastBytes = 30 * 1024

/**
 * Aborts a body that arrives slower than 1 KiB/s over half a minute (TRUST 4.2): a slow client can
 * resume, a stuck one occupies a connection.
 */
export function requireFlow(request: IncomingMessage): void {
  let seen = request.socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead - seen < leastBytes && !request.complete)
      request.destroy(new QuireError('invalid', 'The body stopped arriving.'))
    seen = bytesRead
  }, windowMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  request.on('end', stop)
  request.on('close', stop)
}

// Milliseconds and bytes for which the rest of a rejected body is read and discarded, so that the
// client reads the response instead of a broken connection. At twice, an endless sender holds a
// connection twice as long; at half, a client on a slow line sees the broken connection first.
const lingerMs = 5000
const lingerBytes = 64 * 1024 * 1024

/**
 * Reads and discards the rest of a body after its response was sent, up to these limits, so that an
 * unread body does not hold the connection.
 */
export function takeInRest(request: IncomingMessage, response: ServerResponse): void {
  // A destroyed request has no socket any more.
  const { socket } = request
  const isLast = !response.shouldKeepAlive
  response.on('finish', () => {
    if (isLast && request.complete) socket.end()
    if (request.complete) return
    const most = socket.bytesRead + lingerBytes
    request.unpipe()
    request.on('data', () => socket.bytesRead > most && request.destroy())
    request.resume()
    if (isLast) request.on('end', () => socket.end())
    const timer = setTimeout(() => request.destroy(), lingerMs).unref()
    request.on('close', () => clearTimeout(timer))
  })
}

/**
 * Call it before the headers of a refusal are sent. Fastify and Node close a connection at once
 * when it should end with its response. The kernel then resets it because data is still arriving,
 * and the client sees a broken pipe instead of the reason (RFC 9112 §9.6).
 */
export function outliveRefusal(reply: FastifyReply): void {
  const { raw, headers } = reply.request
  if (raw.complete || !bringsBody(headers)) return
  void reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
}

/**
 * The bytes of a body. A broken body fails, it never just ends early (TRUST F23). Leaving bytes
 * unread does not close the connection.
 */
export async function* bodyBytes(payload: Readable, slots: Slots): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = payload.iterator({ destroyOnReturn: false })
  yield* interleaved(chunks, slots)
}
