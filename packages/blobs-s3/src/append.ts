import { createHash, type Hash } from 'node:crypto'
import {
  type Append,
  type AppendSlot,
  BlobsUnavailable,
  type Bytes,
  ChecksumMismatch,
  endingWell,
} from '@quire/core/ports'
import { removeObject } from './bucket.ts'
import { type Manifest, type BlobPart, piecesBefore, requireManifest, writeManifest } from './manifest.ts'
import { inPieces } from './parts.ts'
import type { RunningHashes } from './running-hashes.ts'
import { gathered, type PartFolder, storePiece } from './stored-parts.ts'

/** The partial blob to append to. */
export interface Target extends PartFolder {
  readonly id: string
  readonly slot: AppendSlot
  readonly hashes: RunningHashes
}

/** The state of a running append. */
interface Writing {
  readonly target: Target
  readonly append: Append
  /** The hash of all bytes so far; null when it is not known. */
  readonly running: Hash | null
  readonly proof: Hash | null
  /** All stored pieces, whether they count or not. */
  pieces: readonly BlobPart[]
  /** The manifest of the pieces that count. */
  counted: Manifest
  /** Whether that manifest was written in the epoch of this append. */
  isOwn: boolean
  /**
   * Pieces that may count: the manifest that names them may have been written although its response
   * was lost.
   */
  offered: readonly BlobPart[]
  /** The end of the stored bytes. */
  end: number
}

/** Implements `PartialBlobs.append`. Returns the end of the bytes. */
export async function appendTo(target: Target, append: Append): Promise<number> {
  const writing = await begin(target, append)
  const source = endingWell(append.bytes)
  try {
    await writeFrom(writing, source.bytes)
    const failure = source.failure()
    if (failure && (writing.proof || target.slot.isOver())) throw failure.error
    requireProof(writing)
    await count(writing)
    if (failure) throw failure.error
    return writing.end
  } catch (error) {
    await dropUnoffered(writing)
    throw error
  }
}

async function begin(target: Target, append: Append): Promise<Writing> {
  const { location, id, slot, hashes } = target
  const before = { location, id, number: append.after ?? 0 }
  const counted = await slot.step(() => requireManifest(before, append.offset))
  return {
    target,
    append,
    running: hashes.resume(id, counted, append.offset),
    proof: append.checksum ? createHash(append.checksum.algorithm) : null,
    pieces: await gathered(target, piecesBefore(counted.pieces, append.offset)),
    counted,
    isOwn: (append.slot ?? 0) === before.number,
    offered: counted.pieces,
    end: append.offset,
  }
}

async function writeFrom(writing: Writing, bytes: Bytes): Promise<void> {
  const { target, running, proof } = writing
  for await (const { bytes: piece } of inPieces(bytes, target.location.buffers)) {
    if (target.slot.isOver()) return
    const stored = await storePiece(target, piece)
    running?.update(piece)
    proof?.update(piece)
    writing.pieces = [...writing.pieces, stored]
    writing.end += piece.length
    if (!proof) await count(writing)
  }
}

/** Writes the manifest, which makes all stored pieces count in one step. */
async function count(writing: Writing): Promise<void> {
  const { target, append, running, proof, pieces } = writing
  const { location, id, slot, hashes } = target
  const before = writing.counted
  const isSame = areSame(pieces, before.pieces)
  const own = { location, id, number: append.slot ?? 0 }
  writing.offered = pieces
  const isStored = isSame && writing.isOwn
  const manifest = await slot.step(async () => (isStored ? before : writeManifest(own, pieces)))
  writing.counted = manifest
  writing.isOwn = true
  if (running) hashes.retain(id, manifest, running)
  else hashes.forget(id)
  const isNew = writing.end > append.offset && !isSame
  if (isNew && !proof) await append.onDurable?.(writing.end)
}

function areSame(some: readonly BlobPart[], others: readonly BlobPart[]): boolean {
  const isThere = ({ name, size }: BlobPart, index: number) =>
    others[index]?.name === name && others[index].size === size
  return some.length === others.length && some.every(isThere)
}

function requireProof({ append, proof }: Writing): void {
  if (!proof || proof.digest('base64') === append.checksum?.digest) return
  throw new ChecksumMismatch('The bytes do not match the checksum: send them again.')
}

/**
 * Removes pieces that no manifest can name. Only a clean-up: what remains is removed with the
 * upload, and a failure never hides why the append failed.
 */
async function dropUnoffered({ target, pieces, counted, offered }: Writing): Promise<void> {
  const { location, prefix } = target
  const retained = new Set([...counted.pieces, ...offered].map(({ name }) => name))
  for (const { name } of pieces.filter((piece) => !retained.has(piece.name))) {
    try {
      await removeObject(location.connection, prefix + name)
    } catch (error) {
      if (!(error instanceof BlobsUnavailable)) throw error
      return
    }
  }
}
