import { randomUUID } from 'node:crypto'
import { BlobAbsent, BlobsUnavailable } from '@quire/core/ports'
import { putObject } from './bucket.ts'
import { epochKey } from './keys.ts'
import { readSmall } from './object-reader.ts'
import type { Location } from './location.ts'
import { seal, unseal } from './sealed.ts'

/** A piece of a partial blob: an object that never changes, or the beginning of one. */
export interface BlobPart {
  /** The name of the object below the prefix of the partial blob. */
  readonly name: string
  /** Size of the object in bytes. */
  readonly stored: number
  /** How many of its bytes count. */
  readonly size: number
  /** The MD5 of the object, hexadecimal. */
  readonly md5: string
  readonly etag: string
}

/**
 * Which pieces of a partial blob count, as written in one epoch. It is replaced in one step, and
 * that step makes an append count. Each epoch has its own manifest. The caller counts epochs and
 * knows which one to trust, so no conditional puts are needed.
 */
export interface Manifest {
  /** Different for each write. */
  readonly version: string
  /** Unix ms. */
  readonly writtenDate: number
  /** Bytes of all pieces that count. */
  readonly size: number
  readonly pieces: readonly BlobPart[]
}

/** An epoch of a partial blob: the period in which one process appends to it. */
export interface Epoch {
  readonly location: Location
  readonly id: string
  /** From 0. Two writers in the same epoch are in the same process. */
  readonly number: number
}

/**
 * Writes the manifest of an epoch; durable when it resolves. Manifests of other epochs are
 * unchanged.
 */
export async function writeManifest(epoch: Epoch, pieces: readonly BlobPart[]): Promise<Manifest> {
  const size = sizeOf(pieces)
  const manifest = { version: randomUUID(), writtenDate: Date.now(), size, pieces }
  await putObject(epoch.location.connection, keyOf(epoch), seal(JSON.stringify(manifest)))
  return manifest
}

/**
 * Reads the manifest of an epoch; null when there is none. Errors: BlobsUnavailable when it is
 * damaged.
 */
export async function findManifest(epoch: Epoch): Promise<Manifest | null> {
  const found = await readSmall(epoch.location.connection, keyOf(epoch), (bytes) => unseal(bytes) !== null)
  if (!found) return null
  const text = unseal(found.bytes)
  if (text === null) throw new BlobsUnavailable('failing', `The list of pieces of ${epoch.id} is damaged.`)
  // The seal proves that it was written here.
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
  throw new BlobAbsent(`The upload has ${size} bytes, not ${end}: continue from the last acknowledged byte.`)
}

/** The pieces before `end`, the last one cut if necessary. */
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

function sizeOf(pieces: readonly BlobPart[]): number {
  return pieces.reduce((total, { size }) => total + size, 0)
}
