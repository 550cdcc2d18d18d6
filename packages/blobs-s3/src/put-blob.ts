import { createHash, randomUUID } from 'node:crypto'
import { type Bytes, BlobsUnavailable, type StoredBlob } from '@quire/core/ports'
import { md5Of, putObject, removeObjects } from './bucket.ts'
import type { BlobPart } from './manifest.ts'
import { putParts } from './multipart.ts'
import { type PartBody, inPieces } from './parts.ts'
import type { Location } from './location.ts'
import { commitBlob } from './commit-blob.ts'
import { partsOf, type PartFolder, storePiece } from './stored-parts.ts'

/**
 * Implements `Blobs.put`. The name is only known once all bytes were read. A blob of a single piece
 * waits for it in memory. The pieces of a larger blob are stored as objects, which the store then
 * copies into one.
 */
export async function putBlob(location: Location, bytes: Bytes): Promise<StoredBlob> {
  const pieces = inPieces(bytes, location.buffers)
  try {
    const { value: first = noPiece } = await pieces.next()
    return await (first.isLast
      ? storeBytes(location, first.bytes)
      : putLarge(location, following(first, pieces)))
  } finally {
    await pieces.return(undefined)
  }
}

const noPiece: PartBody = { bytes: Buffer.alloc(0), isLast: true }

/** Stores bytes that are in memory. */
export async function storeBytes(location: Location, bytes: Uint8Array): Promise<StoredBlob> {
  const blob = { hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
  await commitBlob(location, {
    blob,
    md5: md5Of(bytes).hex,
    send: (key) => putObject(location.connection, key, bytes),
  })
  return blob
}

async function putLarge(location: Location, given: AsyncIterable<PartBody>): Promise<StoredBlob> {
  const { connection, keys } = location
  const folder = { location, prefix: `${keys.temp}${randomUUID()}/` }
  const digest = createHash('sha256')
  const pieces: BlobPart[] = []
  let size = 0
  try {
    for await (const { bytes } of given) {
      pieces.push(await storePiece(folder, bytes))
      digest.update(bytes)
      size += bytes.length
    }
    const blob = { hash: digest.digest('hex'), size }
    const send = (key: string) => putParts(connection, key, partsOf(folder, pieces))
    await commitBlob(location, { blob, md5: null, send })
    return blob
  } finally {
    // If the store fails to remove them, a later sweep does.
    await removeObjects(connection, namesOf(folder, pieces)).catch(requireUnavailable)
  }
}

async function* following<T>(first: T, rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield first
  yield* rest
}

function namesOf({ prefix }: PartFolder, pieces: readonly BlobPart[]): readonly string[] {
  return pieces.map(({ name }) => prefix + name)
}

function requireUnavailable(error: unknown): void {
  if (!(error instanceof BlobsUnavailable)) throw error
}
