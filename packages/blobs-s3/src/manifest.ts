import { randomUUID } from 'node:crypto'
import { BlobAbsent, BlobsUnavailable } from '@quire/core/ports'
import { putObject } from './bucket.ts'
import { partialKey } from './keys.ts'
import { readSmall } from './object-reader.ts'
import type { Place } from './place.ts'
import { seal, unseal } from './sealed.ts'

/** Bytes of a partial blob: an object that never changes, or the beginning of one. */
export interface Piece {
  /** Of the object, below those of the partial blob. */
  readonly name: string
  /** Bytes of the object. */
  readonly stored: number
  /** Bytes of it that count. */
  readonly size: number
  /** The MD5 of the object, hexadecimal. */
  readonly md5: string
  readonly etag: string
}

/** What of a partial blob counts. It is replaced in one step: that step is what makes an append count. */
export interface Manifest {
  /** Another for each time it is written. */
  readonly version: string
  /** Unix ms. */
  readonly writtenDate: number
  /** Bytes of all pieces. */
  readonly size: number
  readonly pieces: readonly Piece[]
}

/** Writes what counts; durable when it resolves. */
export async function writeManifest(place: Place, id: string, pieces: readonly Piece[]): Promise<Manifest> {
  const size = sizeOf(pieces)
  const manifest = { version: randomUUID(), writtenDate: Date.now(), size, pieces }
  await putObject(place.connection, partialKey(place.keys, id), seal(JSON.stringify(manifest)))
  return manifest
}

/** Null when there is none. Errors: BlobsUnavailable when it is not what was written. */
export async function findManifest({ connection, keys }: Place, id: string): Promise<Manifest | null> {
  const found = await readSmall(connection, partialKey(keys, id), (bytes) => unseal(bytes) !== null)
  if (!found) return null
  const text = unseal(found.bytes)
  if (text === null) throw new BlobsUnavailable('failing', `The list of pieces of ${id} is damaged.`)
  // Sealed, so it is what was written here.
  const manifest: Manifest = JSON.parse(text)
  return manifest
}

/** Errors: BlobAbsent when there is none, or it has fewer bytes than `end`. */
export async function requireManifest(place: Place, id: string, end: number): Promise<Manifest> {
  const manifest = await findManifest(place, id)
  if (!manifest) throw new BlobAbsent(`There is no upload ${id}: begin it again.`)
  const { size } = manifest
  if (size >= end) return manifest
  throw new BlobAbsent(`The upload has ${size} bytes, not ${end}: go on from where it was acknowledged.`)
}

/** The pieces of the first bytes. */
export function piecesBefore(pieces: readonly Piece[], end: number): readonly Piece[] {
  const kept: Piece[] = []
  let start = 0
  for (const piece of pieces) {
    const size = Math.min(piece.size, end - start)
    if (size <= 0) break
    kept.push(size === piece.size ? piece : { ...piece, size })
    start += size
  }
  return kept
}

/** Bytes of pieces that count. */
function sizeOf(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { size }) => total + size, 0)
}
