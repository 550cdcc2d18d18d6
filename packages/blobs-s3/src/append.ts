import { createHash, type Hash } from 'node:crypto'
import {
  type Append,
  type AppendTurn,
  BlobsUnavailable,
  type Bytes,
  ChecksumMismatch,
  endingWell,
} from '@quire/core/ports'
import { removeObject } from './bucket.ts'
import { type Manifest, type Piece, piecesBefore, requireManifest, writeManifest } from './manifest.ts'
import { inPieces } from './pieces.ts'
import type { RunningHashes } from './running-hashes.ts'
import { gathered, type PieceFolder, storePiece } from './stored-pieces.ts'

/** A partial blob that is appended to. */
export interface Target extends PieceFolder {
  readonly id: string
  readonly turn: AppendTurn
  readonly hashes: RunningHashes
}

/** An append under way. */
interface Writing {
  readonly target: Target
  readonly append: Append
  /** The hash of all bytes so far; null when it is not known. */
  readonly running: Hash | null
  readonly proof: Hash | null
  /** What is stored, whether it counts or not. */
  pieces: readonly Piece[]
  /** What counts. */
  counted: Manifest
  /** Whether it was written in the turn of this append. */
  isOwn: boolean
  /** What may count: a list of pieces whose answer got lost is perhaps written. */
  offered: readonly Piece[]
  /** Where the bytes end that are stored. */
  end: number
}

/** Writes the bytes of an append, as `PartialBlobs.append` says; where they end. */
export async function appendTo(target: Target, append: Append): Promise<number> {
  const writing = await begin(target, append)
  const source = endingWell(append.bytes)
  try {
    await writeFrom(writing, source.bytes)
    const failure = source.failure()
    if (failure && (writing.proof || target.turn.isOver())) throw failure.error
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
  const { place, id, turn, hashes } = target
  const before = { place, id, number: append.after ?? 0 }
  const counted = await turn.step(() => requireManifest(before, append.offset))
  return {
    target,
    append,
    running: hashes.resume(id, counted, append.offset),
    proof: append.checksum ? createHash(append.checksum.algorithm) : null,
    pieces: await gathered(target, piecesBefore(counted.pieces, append.offset)),
    counted,
    isOwn: (append.turn ?? 0) === before.number,
    offered: counted.pieces,
    end: append.offset,
  }
}

async function writeFrom(writing: Writing, bytes: Bytes): Promise<void> {
  const { target, running, proof } = writing
  for await (const { bytes: piece } of inPieces(bytes, target.place.buffers)) {
    if (target.turn.isOver()) return
    const stored = await storePiece(target, piece)
    running?.update(piece)
    proof?.update(piece)
    writing.pieces = [...writing.pieces, stored]
    writing.end += piece.length
    if (!proof) await count(writing)
  }
}

/** Makes what is stored count, in one step. */
async function count(writing: Writing): Promise<void> {
  const { target, append, running, proof, pieces } = writing
  const { place, id, turn, hashes } = target
  const before = writing.counted
  const isSame = areSame(pieces, before.pieces)
  const own = { place, id, number: append.turn ?? 0 }
  writing.offered = pieces
  const isKept = isSame && writing.isOwn
  const manifest = await turn.step(async () => (isKept ? before : writeManifest(own, pieces)))
  writing.counted = manifest
  writing.isOwn = true
  if (running) hashes.keep(id, manifest, running)
  else hashes.forget(id)
  const isNew = writing.end > append.offset && !isSame
  if (isNew && !proof) await append.onDurable?.(writing.end)
}

function areSame(some: readonly Piece[], others: readonly Piece[]): boolean {
  const isThere = ({ name, size }: Piece, index: number) =>
    others[index]?.name === name && others[index].size === size
  return some.length === others.length && some.every(isThere)
}

function requireProof({ append, proof }: Writing): void {
  if (!proof || proof.digest('base64') === append.checksum?.digest) return
  throw new ChecksumMismatch('The bytes are not those of the checksum: send them again.')
}

/** Cleaning up only: what is left is removed with the upload, and never hides why an append failed. */
async function dropUnoffered({ target, pieces, counted, offered }: Writing): Promise<void> {
  const { place, prefix } = target
  const kept = new Set([...counted.pieces, ...offered].map(({ name }) => name))
  for (const { name } of pieces.filter((piece) => !kept.has(piece.name))) {
    try {
      await removeObject(place.connection, prefix + name)
    } catch (error) {
      if (!(error instanceof BlobsUnavailable)) throw error
      return
    }
  }
}
