import { Readable } from 'node:stream'
import { encodeError, type BinaryReply, type Reply } from '@quire/contract/codec'
import type { QuireError, TokenError } from '@quire/contract'
import type { FastifyReply } from 'fastify'
import { turns } from './turns.ts'

/**
 * What every answer carries beside its own headers: its type is what it says, and no address of ours leaks to others.
 * Answers depend on who asks, so that no shared cache may hand one caller's to another (TRUST 38).
 */
export const commonHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  vary: 'Authorization',
} as const

/** Sends a reply of the codec as it is: no serializer touches the text. */
export function send(reply: FastifyReply, { status, headers, body }: Reply): void {
  turns.answered()
  void reply.code(status).headers(commonHeaders).headers(headers).send(body)
}

// Bytes up to which one write of all of them is cheaper than a stream.
const sentWhole = 256 * 1024

/** Sends bytes. What fails before the first of them is an error like any other; after that the connection breaks. */
export async function sendBinary(reply: FastifyReply, { status, headers, open }: BinaryReply): Promise<void> {
  const body = open && (await open())
  void reply.code(status).headers(commonHeaders).headers(headers)
  if (!body) return void reply.send()
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (length <= sentWhole) return void reply.send(await bufferOf(body))
  void reply.send(body instanceof Readable ? body : Readable.from(inOwnTurns(body), { objectMode: false }))
}

// What is no file as it is kept is put together as it goes, as an archive is with its checksums: a byte of it takes the time of two.
const timesOfBytes = 2

async function* inOwnTurns(bytes: AsyncIterable<Uint8Array>) {
  for await (const chunk of bytes) {
    yield chunk
    await turns.take(chunk.length * timesOfBytes)
  }
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
