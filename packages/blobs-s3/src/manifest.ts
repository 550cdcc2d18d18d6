import { randomUUID } from 'node:crypto'
import { BlobAbsent, BlobsUnavailable } from '@quire/core/ports'
import { putObject } from './bucket.ts'
import { turnKey } from './keys.ts'
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
  readonly pieces: readonly Piece[]
}

/** What is written in one turn at a partial blob. */
export interface Turn {
  readonly place: Place
  readonly id: string
  /** From 0. Two writers in one turn are in one process. */
  readonly number: number
}

/** Writes what counts; durable when it resolves. What was written in other turns stays as it is. */
export async function writeManifest(turn: Turn, pieces: readonly Piece[]): Promise<Manifest> {
  const size = sizeOf(pieces)
  const manifest = { version: randomUUID(), writtenDate: Date.now(), size, pieces }
  await putObject(turn.place.connection, keyOf(turn), seal(JSON.stringify(manifest)))
  return manifest
}

/** Null when there is none. Errors: BlobsUnavailable when it is not what was written. */
export async function findManifest(turn: Turn): Promise<Manifest | null> {
  const found = await readSmall(turn.place.connection, keyOf(turn), (bytes) => unseal(bytes) !== null)
  if (!found) return null
  const text = unseal(found.bytes)
  if (text === null) throw new BlobsUnavailable('failing', `The list of pieces of ${turn.id} is damaged.`)
  // Sealed, so it is what was written here.
  const manifest: Manifest = JSON.parse(text)
  return manifest
}

function keyOf({ place, id, number }: Turn): string {
  return turnKey(place.keys, id, number)
}

/** Errors: BlobAbsent when there is none, or it has fewer bytes than `end`. */
export async function requireManifest(turn: Turn, end: number): Promise<Manifest> {
  const manifest = await findManifest(turn)
  if (!manifest) throw new BlobAbsent(`There is no upload ${turn.id}: begin it again.`)
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
