import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { QuireError } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import type { FastifyReply } from 'fastify'
import type { Slots } from './slots.ts'

/** The media type that bodies of bytes are parsed by, whatever their sender calls them. */
export const bytesType = 'application/octet-stream'

/** Whether a request has a body. */
export function bringsBody(headers: IncomingMessage['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Whether a body is read as it comes: what it is for decides how much of it is taken. */
export function isStreamed(route: Pick<Route, 'body'> | undefined): boolean {
  return route?.body === 'file' || route?.body === 'tus' || route?.body === 'message'
}

/** Whether a body may be larger and slower than JSON. */
export function isLarge(route: Route | undefined, contentType = ''): boolean {
  return isStreamed(route) || (/^multipart\/form-data/i.test(contentType) && route?.body !== 'json')
}

const windowMs = 30_000
const leastBytes = 30 * 1024

/** Cuts a body that comes slower than 1 KiB a second over half a minute (TRUST 4.2): a slow line can resume, a stuck one holds a place. */
export function requireFlow(request: IncomingMessage): void {
  let seen = request.socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = request.socket
    if (bytesRead - seen < leastBytes && !request.complete)
      request.destroy(new QuireError('invalid', 'The body came to a standstill.'))
    seen = bytesRead
  }, windowMs)
  timer.unref()
  const stop = () => clearInterval(timer)
  request.on('end', stop)
  request.on('close', stop)
}

// What was refused while it came is taken in for so long, so that its sender reads the answer instead of a broken connection. At twice,
// who sends without end holds a connection twice as long; at half, a sender on a slow line reads of the cut before it reads the answer.
const lingerMs = 5000
const lingerBytes = 64 * 1024 * 1024

/** What of a body is left when its answer is sent is taken in and forgotten, so far and no further: what nobody reads holds no connection. */
export function takeInRest(request: IncomingMessage, response: ServerResponse): void {
  // A request that was destroyed has none any more.
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
 * To be called before the head of a refusal is sent. Fastify and Node close a connection that is to end with its answer at once, and what
 * still comes then makes the kernel reset it: its sender would find a broken pipe in place of the reason (RFC 9112 §9.6).
 */
export function outliveRefusal(reply: FastifyReply): void {
  const { raw, headers } = reply.request
  if (raw.complete || !bringsBody(headers)) return
  void reply.removeHeader('connection')
  reply.raw.shouldKeepAlive = true
}

/** The bytes of a body. One that breaks off fails: it never ends early (TRUST F23). What is left unread does not end the connection. */
export async function* bodyBytes(payload: Readable, slots: Slots): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = payload.iterator({ destroyOnReturn: false })
  yield* interleaved(chunks, slots)
}

/** The same bytes; each piece that was taken is waited for. */
export async function* interleaved(
  bytes: AsyncIterable<Uint8Array>,
  slots: Slots,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk
    await slots.take(chunk.length)
  }
}
