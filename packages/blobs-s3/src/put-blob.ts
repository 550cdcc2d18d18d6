import { createHash, randomUUID } from 'node:crypto'
import { type Bytes, BlobsUnavailable, type StoredBlob } from '@quire/core/ports'
import { md5Of, putObject, removeObject } from './bucket.ts'
import { type CopiedPart, putParts } from './multipart.ts'
import { inPieces, pieceSize } from './pieces.ts'
import type { Place } from './place.ts'
import { settle } from './settle-blob.ts'

/**
 * Keeps bytes, as `Blobs.put` says. Their name is known when all were seen: what fits into a piece waits in memory for it, what is larger
 * goes to a temporary object in parts, which the store then copies.
 */
export async function putBlob(place: Place, bytes: Bytes): Promise<StoredBlob> {
  const pieces = inPieces(bytes)
  try {
    const first = await pieces.next()
    const piece = first.value ?? Buffer.alloc(0)
    return await (piece.length < pieceSize ? keepBytes(place, piece) : putLarge(place, piece, pieces))
  } finally {
    await pieces.return(undefined)
  }
}

/** Keeps bytes that are at hand. */
export async function keepBytes(place: Place, bytes: Uint8Array): Promise<StoredBlob> {
  const blob = { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  await settle(place, {
    blob,
    md5: md5Of(bytes).hex,
    send: (key) => putObject(place.connection, key, bytes),
  })
  return blob
}

async function putLarge(place: Place, first: Buffer, rest: AsyncIterable<Buffer>): Promise<StoredBlob> {
  const { connection, keys } = place
  const temp = keys.temp + randomUUID()
  const digest = createHash('sha256')
  let size = 0
  async function* seen(): AsyncGenerator<Buffer> {
    for await (const piece of following(first, rest)) {
      digest.update(piece)
      size += piece.length
      yield piece
    }
  }
  try {
    await putParts(connection, temp, seen())
    const blob = { hash: digest.digest('hex'), size }
    const send = (key: string) => putParts(connection, key, copiesOf(temp, size))
    await settle(place, { blob, md5: null, send })
    return blob
  } finally {
    // Left behind by a store that fails, it is removed when binaries are opened later.
    await removeObject(connection, temp).catch(requireUnavailable)
  }
}

async function* following<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

/** Bytes that a store copies in one request: at twice, a slow one (5 MB/s) takes longer than a request may. */
const copySize = 64 * 1024 * 1024

async function* copiesOf(key: string, size: number): AsyncGenerator<CopiedPart> {
  for (let start = 0; start < size; start += copySize) {
    yield { key, start, end: Math.min(start + copySize, size) - 1 }
  }
}

function requireUnavailable(error: unknown): void {
  if (!(error instanceof BlobsUnavailable)) throw error
}
