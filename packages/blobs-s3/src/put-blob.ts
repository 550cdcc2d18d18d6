import { createHash, randomUUID } from 'node:crypto'
import { type Bytes, BlobsUnavailable, type StoredBlob } from '@quire/core/ports'
import { md5Of, putObject, removeObjects } from './bucket.ts'
import type { Piece } from './manifest.ts'
import { putParts } from './multipart.ts'
import { type GivenPiece, inPieces } from './pieces.ts'
import type { Place } from './place.ts'
import { settle } from './settle-blob.ts'
import { partsOf, type PieceFolder, storePiece } from './stored-pieces.ts'

/**
 * Keeps bytes, as `Blobs.put` says. Their name is known when all were seen: what fits into a piece waits in memory for it, the pieces of
 * what is larger are objects, which the store then copies into one.
 */
export async function putBlob(place: Place, bytes: Bytes): Promise<StoredBlob> {
  const pieces = inPieces(bytes, place.buffers)
  try {
    const { value: first = noPiece } = await pieces.next()
    return await (first.isLast ? keepBytes(place, first.bytes) : putLarge(place, following(first, pieces)))
  } finally {
    await pieces.return(undefined)
  }
}

const noPiece: GivenPiece = { bytes: Buffer.alloc(0), isLast: true }

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

async function putLarge(place: Place, given: AsyncIterable<GivenPiece>): Promise<StoredBlob> {
  const { connection, keys } = place
  const folder = { place, prefix: `${keys.temp}${randomUUID()}/` }
  const digest = createHash('sha256')
  const pieces: Piece[] = []
  let size = 0
  try {
    for await (const { bytes } of given) {
      pieces.push(await storePiece(folder, bytes))
      digest.update(bytes)
      size += bytes.length
    }
    const blob = { hash: digest.digest('hex'), size }
    const send = (key: string) => putParts(connection, key, partsOf(folder, pieces))
    await settle(place, { blob, md5: null, send })
    return blob
  } finally {
    // Left behind by a store that fails, they are swept later.
    await removeObjects(connection, namesOf(folder, pieces)).catch(requireUnavailable)
  }
}

async function* following<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

function namesOf({ prefix }: PieceFolder, pieces: readonly Piece[]): readonly string[] {
  return pieces.map(({ name }) => prefix + name)
}

function requireUnavailable(error: unknown): void {
  if (!(error instanceof BlobsUnavailable)) throw error
}
