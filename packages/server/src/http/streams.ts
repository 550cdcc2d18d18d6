import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { QuireError } from '@quire/contract'
import type { Route } from '@quire/contract/codec'
import type { Turns } from './turns.ts'

/** The media type that bodies of bytes are parsed by, whatever their sender calls them. */
export const bytesType = 'application/octet-stream'

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
function requireFlow(request: IncomingMessage): void {
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

// What was refused while it came is taken in for so long, so that its sender reads the answer instead of a broken connection.
const lingerMs = 2000

/** Watches over a body that may be large: it must keep coming, and what nobody reads holds no connection. */
export function receiveLarge(request: IncomingMessage, response: ServerResponse): void {
  requireFlow(request)
  // A request that was destroyed has none any more.
  const { socket } = request
  const isLast = !response.shouldKeepAlive
  response.on('finish', () => {
    if (isLast && request.complete) socket.end()
    if (request.complete) return
    request.unpipe()
    request.resume()
    if (isLast) request.on('end', () => socket.end())
    setTimeout(() => request.destroy(), lingerMs).unref()
  })
}

/**
 * To be called before the head of a refusal is sent. Node closes a connection that is to end with its answer at once, and what
 * still comes then makes the kernel reset it: its sender would find a broken pipe in place of the reason (RFC 9112 §9.6).
 */
export function outliveRefusal(request: IncomingMessage, response: ServerResponse): void {
  if (!request.complete) response.shouldKeepAlive = true
}

/** The bytes of a body. One that breaks off fails: it never ends early (TRUST F23). What is left unread does not end the connection. */
export async function* bodyBytes(payload: Readable, turns: Turns): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterable<Uint8Array> = payload.iterator({ destroyOnReturn: false })
  yield* inTurns(chunks, turns)
}

/** The same bytes; each piece that was taken is waited for. */
export async function* inTurns(bytes: AsyncIterable<Uint8Array>, turns: Turns): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk
    await turns.take(chunk.length)
  }
}
