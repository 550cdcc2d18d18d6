import { randomUUID } from 'node:crypto'
import { BlobAbsent, BlobsUnavailable } from '@quire/core/ports'
import { putObject } from './bucket.ts'
import { epochKey } from './keys.ts'
import { readSmall } from './object-reader.ts'
import type { Location } from './location.ts'
import { seal, unseal } from './sealed.ts'

/** Bytes of a partial blob: an object that never changes, or the beginning of one. */
export interface BlobPart {
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

/**
 * What of a partial blob counts, as of one turn. It is replaced in one step: that step is what makes an append count. Each turn has one of its own,
 * and who keeps count of turns says which of them is to be believed, so that no condition on a put is needed.
 */
export interface Manifest {
  /** Another for each time it is written. */
  readonly version: string
  /** Unix ms. */
  readonly writtenDate: number
  /** Bytes of all pieces. */
  readonly size: number
  readonly pieces: readonly BlobPart[]
}

/** What is written in one turn at a partial blob. */
export interface Epoch {
  readonly location: Location
  readonly id: string
  /** From 0. Two writers in one turn are in one process. */
  readonly number: number
}

/** Writes what counts; durable when it resolves. What was written in other turns stays as it is. */
export async function writeManifest(epoch: Epoch, pieces: readonly BlobPart[]): Promise<Manifest> {
  const size = sizeOf(pieces)
  const manifest = { version: randomUUID(), writtenDate: Date.now(), size, pieces }
  await putObject(epoch.location.connection, keyOf(epoch), seal(JSON.stringify(manifest)))
  return manifest
}

/** Null when there is none. Errors: BlobsUnavailable when it is not what was written. */
export async function findManifest(epoch: Epoch): Promise<Manifest | null> {
  const found = await readSmall(epoch.location.connection, keyOf(epoch), (bytes) => unseal(bytes) !== null)
  if (!found) return null
  const text = unseal(found.bytes)
  if (text === null) throw new BlobsUnavailable('failing', `The list of pieces of ${epoch.id} is damaged.`)
  // Sealed, so it is what was written here.
  const manifest: Manifest = JSON.parse(text)
  return manifest
}

function keyOf({ location, id, number }: Epoch): string {
  return epochKey(location.keys, id, number)
}

/** Errors: BlobAbsent when there is none, or it has fewer bytes than `end`. */
export async function requireManifest(epoch: Epoch, end: number): Promise<Manifest> {
  const manifest = await findManifest(epoch)
  if (!manifest) throw new BlobAbsent(`There is no upload ${epoch.id}: begin it again.`)
  const { size } = manifest
  if (size >= end) return manifest
  throw new BlobAbsent(`The upload has ${size} bytes, not ${end}: go on from where it was acknowledged.`)
}

/** The pieces of the first bytes. */
export function piecesBefore(pieces: readonly BlobPart[], end: number): readonly BlobPart[] {
  const retained: BlobPart[] = []
  let start = 0
  for (const piece of pieces) {
    const size = Math.min(piece.size, end - start)
    if (size <= 0) break
    retained.push(size === piece.size ? piece : { ...piece, size })
    start += size
  }
  return retained
}

/** Bytes of pieces that count. */
function sizeOf(pieces: readonly BlobPart[]): number {
  return pieces.reduce((total, { size }) => total + size, 0)
}
