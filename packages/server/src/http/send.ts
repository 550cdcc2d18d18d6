import { Readable } from 'node:stream'
import {
  encodeBinary,
  encodeError,
  leadElsewhere,
  proxiedReplyHeaders,
  type BinaryReply,
  type BinaryRequest,
  type EventsReply,
  type Reply,
} from '@quire/contract/codec'
import type { BinarySource, QuireError, TokenError } from '@quire/contract'
import type { ServedProxied } from '@quire/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { credentialOf, edgeHeaders, headersBeside, withInvalidToken, type Slots } from '@quire/http/shared'
import { headerOf } from './header-of.ts'
import { isLarge } from './streams.ts'

/** The common and cache headers of a response. */
function headersFor(
  { request }: FastifyReply,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { public: isPublic, contractRoute } = request.routeOptions.config
  const beside = headersBeside(own, isPublic === true || contractRoute?.answer === 'bytes')
  const edge = edgeHeaders(request.edge, own)
  return edge ? { ...beside, ...edge } : beside
}

/** Adds a request header to those on which the response depends. */
export function addVary(reply: FastifyReply, name: string): void {
  const vary = reply.getHeader('vary')?.toString()
  if (vary?.split(', ').includes(name)) return
  void reply.header('vary', vary === undefined ? name : `${vary}, ${name}`)
}

/** Sends a reply of the codec unchanged: no serializer touches the text. */
export function send(reply: FastifyReply, { status, headers, body }: Reply): void {
  const own = withReason(reply.request, status, headers)
  void reply.code(status).headers(headersFor(reply, own)).headers(own)
  sendLittle(reply, body)
}

/**
 * Adds the reason to the headers of an error for an invalid token. A caller without a token only
 * learns how to send one. A public route does not look at tokens.
 */
export function withReason(
  request: FastifyRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  if (status !== 401 || request.routeOptions.config.public) return headers
  return credentialOf(headerOf(request))?.token ? withInvalidToken(status, headers) : headers
}

/**
 * Sends a body that is not a stream. A caller with a large body waited for slots itself, so its
 * response does not make other transfers wait.
 */
function sendLittle(reply: FastifyReply, body: string | Buffer | undefined): void {
  const { routeOptions, headers } = reply.request
  if (!isLarge(routeOptions.config.contractRoute, headers['content-type'])) reply.server.slots.answered()
  void reply.send(body)
}

// Bytes up to which a single write is cheaper than a stream.
const sentWhole = 256 * 1024

/**
 * Sends the requested bytes, or a redirect to where they are. Errors: those of opening the bytes
 * and of finding the address.
 */
export async function sendBytes(
  reply: FastifyReply,
  source: BinarySource,
  request: BinaryRequest,
): Promise<void> {
  const encoded = encodeBinary(source, request)
  if (!('open' in encoded)) return send(reply, encoded)
  return sendBinary(reply, await leadElsewhere(source, request, encoded))
}

/**
 * Sends bytes. An error before the first byte is sent like any other; after that, the connection
 * breaks.
 */
async function sendBinary(reply: FastifyReply, { status, headers, open }: BinaryReply): Promise<void> {
  const body = open && (await open())
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const isWhole = length <= sentWhole
  const sent = body && (isWhole ? await bufferOf(body) : await streamOf(body, reply.server.slots))
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  if (sent instanceof Readable) void reply.send(sent)
  else sendLittle(reply, sent)
}

/** Sends events for as long as there are any, at the pace of the connection. */
export function sendEvents(reply: FastifyReply, { status, headers, open }: EventsReply): void {
  const texts = open && reply.server.openStreams.add(open(), reply.raw)
  // A connection that becomes idle after the app started to close would hold it until its
  // keep-alive ends.
  if (texts) reply.raw.shouldKeepAlive = false
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  // Only one piece is prepared at a time, so that nothing is produced for a full connection.
  if (texts) void reply.send(Readable.from(texts, { objectMode: false, highWaterMark: 1 }))
  else sendLittle(reply, undefined)
}

/** Forwards the response of a proxied service, piece by piece, at the pace of the connection. */
export function sendProxied(reply: FastifyReply, answer: ServedProxied): void {
  const { status, body } = answer
  const headers = proxiedReplyHeaders(answer, reply.request.id)
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  // Only one piece is prepared at a time, so that nothing is read for a full connection.
  if (!body) return void reply.send()
  void reply.send(Readable.from(body, { objectMode: false, highWaterMark: 1 }))
  // The headers are sent at once. A later error breaks the connection and cannot become a different
  // response.
  reply.raw.flushHeaders()
}

/**
 * Converts bytes to a stream. A file on disk is a stream already and waits for no slots: the
 * operating system does most of the work.
 */
async function streamOf(bytes: AsyncIterable<Uint8Array>, slots: Slots): Promise<Readable> {
  if (bytes instanceof Readable) return bytes
  return Readable.from(await begunInSlots(bytes, slots), { objectMode: false })
}

// Bytes that are not a stored file are computed while they are sent, such as an archive with its
// checksums. One byte of them takes the time of two.
const timesOfBytes = 2

/**
 * Bytes whose first piece is read already. Each further piece waits for a slot. This is not a
 * generator: one that is closed before its first read would leave its source open.
 */
async function begunInSlots(
  bytes: AsyncIterable<Uint8Array>,
  slots: Slots,
): Promise<AsyncIterable<Uint8Array>> {
  const inner = bytes[Symbol.asyncIterator]()
  let ready = await inner.next()
  let isGiven = false
  const pieces: AsyncIterator<Uint8Array> = {
    async next() {
      if (isGiven && !ready.done) {
        await slots.take(ready.value.length * timesOfBytes)
        ready = await inner.next()
      }
      isGiven = true
      return ready
    },
    async return() {
      await inner.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => pieces }
}

async function bufferOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const [only] = chunks
  if (only && chunks.length === 1) return Buffer.from(only.buffer, only.byteOffset, only.byteLength)
  return Buffer.concat(chunks)
}

/** Sends an error as its body. */
export function sendError(reply: FastifyReply, error: QuireError | TokenError): void {
  send(reply, encodeError(error, reply.request.id))
}
