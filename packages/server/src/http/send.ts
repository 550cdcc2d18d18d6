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
import { credentialOf } from './authentication.ts'
import { isLarge } from './streams.ts'
import type { Slots } from './slots.ts'

/**
 * What every answer carries beside its own headers: its type is what it says, and no address of ours leaks to others.
 * Answers depend on who asks, so that no shared cache may hand one caller's to another (TRUST S24).
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Authorization, Cookie',
} as const

const { vary: _vary, ...sharedHeaders } = commonHeaders
const publishedHeaders = { ...sharedHeaders, vary: 'Authorization' } as const

/**
 * What everybody may have is one entry in a shared cache, whatever cookies visitors have. A file or a page is the same for all who may have
 * it. Who has a token may see more of lists and items at the same address; the browser of somebody who signed in may be shown what all see.
 */
function headersFor(
  { request }: FastifyReply,
  own: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { public: isPublic, contractRoute } = request.routeOptions.config
  if (!own['cache-control']?.startsWith('public')) return commonHeaders
  return isPublic === true || contractRoute?.answer === 'bytes' ? sharedHeaders : publishedHeaders
}

/** Sends a reply of the codec as it is: no serializer touches the text. */
export function send(reply: FastifyReply, { status, headers, body }: Reply): void {
  const own = withReason(reply.request, status, headers)
  void reply.code(status).headers(headersFor(reply, own)).headers(own)
  sendLittle(reply, body)
}

/**
 * The headers of an error, with the reason where a token came that is not good (RFC 6750 §3.1): a client then gets a new one. Who sent none is
 * told how to send one, and no more. A public route looks at no token.
 */
export function withReason(
  request: FastifyRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const challenge = headers['www-authenticate']
  if (status !== 401 || !challenge?.startsWith('Bearer') || request.routeOptions.config.public) return headers
  if (!credentialOf(request)?.token) return headers
  return { ...headers, 'www-authenticate': `${challenge}, error="invalid_token"` }
}

/** Sends what is no stream. Who brought a large body took turns for it, and is not who others make room for. */
function sendLittle(reply: FastifyReply, body: string | Buffer | undefined): void {
  const { routeOptions, headers } = reply.request
  if (!isLarge(routeOptions.config.contractRoute, headers['content-type'])) reply.server.slots.answered()
  void reply.send(body)
}

// Bytes up to which one write of all of them is cheaper than a stream.
const sentWhole = 256 * 1024

/** Sends bytes as the request wants them, or the address where they are. Errors: those of opening them and of finding the address. */
export async function sendBytes(
  reply: FastifyReply,
  source: BinarySource,
  request: BinaryRequest,
): Promise<void> {
  const encoded = encodeBinary(source, request)
  if (!('open' in encoded)) return send(reply, encoded)
  return sendBinary(reply, await leadElsewhere(source, request, encoded))
}

/** Sends bytes. What fails before the first of them is an error like any other; after that the connection breaks. */
async function sendBinary(reply: FastifyReply, { status, headers, open }: BinaryReply): Promise<void> {
  const body = open && (await open())
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const isWhole = length <= sentWhole
  const sent = body && (isWhole ? await bufferOf(body) : await streamOf(body, reply.server.slots))
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  if (sent instanceof Readable) void reply.send(sent)
  else sendLittle(reply, sent)
}

/** Sends events for as long as they come, each when the line takes it. */
export function sendEvents(reply: FastifyReply, { status, headers, open }: EventsReply): void {
  const texts = open && reply.server.openStreams.add(open(), reply.raw)
  // A connection that becomes idle after an app began to close would hold it until its keep-alive ends.
  if (texts) reply.raw.shouldKeepAlive = false
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  // One piece is ready at a time, so that a line that is full is not written for.
  if (texts) void reply.send(Readable.from(texts, { objectMode: false, highWaterMark: 1 }))
  else sendLittle(reply, undefined)
}

/** Sends on what others answered, each piece when it came and the line takes it. */
export function sendProxied(reply: FastifyReply, answer: ServedProxied): void {
  const { status, body } = answer
  const headers = proxiedReplyHeaders(answer, reply.request.id)
  void reply.code(status).headers(headersFor(reply, headers)).headers(headers)
  // One piece is ready at a time: a line that is full is not read for.
  if (!body) return void reply.send()
  void reply.send(Readable.from(body, { objectMode: false, highWaterMark: 1 }))
  // The head goes at once: what breaks off after it breaks the connection, and is no other answer under the same head.
  reply.raw.flushHeaders()
}

/** Bytes as a stream. A file as it is kept is one, and takes no turns: the operating system does most of the work. */
async function streamOf(bytes: AsyncIterable<Uint8Array>, slots: Slots): Promise<Readable> {
  if (bytes instanceof Readable) return bytes
  return Readable.from(await begunInSlots(bytes, slots), { objectMode: false })
}

// What is no file as it is kept is put together as it goes, as an archive is with its checksums: a byte of it takes the time of two.
const timesOfBytes = 2

/**
 * Bytes whose first piece is there, each of the others in a turn of its own. No generator: one that is left before it was read would
 * leave what it reads open.
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
