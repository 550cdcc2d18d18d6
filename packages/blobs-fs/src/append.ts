import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type Append, type AppendSlot, ChecksumMismatch, durableEvery, endingWell } from '@quire/core/ports'
import { inPieces, pieceSize, writePiece } from './chunks.ts'
import type { Location } from './location.ts'

interface Writing {
  readonly target: AppendTarget
  readonly append: Append
  /** Hashes that every byte goes into. */
  readonly digests: readonly Hash[]
  /** The end of the bytes written so far. */
  end: number
  /** The end of the bytes that are durable and reported. */
  durable: number
}

/** The partial blob that an append writes to. */
export interface AppendTarget {
  /** The open file, which ends at the append's offset. */
  readonly handle: FileHandle
  readonly location: Location
  readonly slot: AppendSlot
  /** The hash of the bytes before the offset; null when it is not known. */
  readonly running: Hash | null
}

/** How an append ended. `failure` is an error of the source; the bytes before it count. */
export interface Appended {
  readonly end: number
  readonly failure: { readonly error: unknown } | null
}

/**
 * Writes the bytes of an append. Any error other than one of the source cuts the file back to the
 * bytes that count, and is thrown.
 * Errors: ChecksumMismatch; with a checksum, the errors of the source; StoreConflict when another
 * append took over; BlobsUnavailable `full` when the disk would fall below the free space to leave.
 */
export async function writeAppend(target: AppendTarget, append: Append): Promise<Appended> {
  const { running } = target
  const proof = append.checksum ? createHash(append.checksum.algorithm) : null
  const digests = [running, proof].filter((digest) => digest !== null)
  const { offset } = append
  const writing: Writing = { target, append, digests, end: offset, durable: offset }
  try {
    const failure = await writeFrom(writing)
    if (proof) requireProof(append, proof, failure)
    return { end: writing.end, failure }
  } catch (error) {
    await cutBack(target, proof ? offset : writing.durable)
    throw error
  }
}

async function writeFrom(writing: Writing): Promise<Appended['failure']> {
  const { handle, location, slot } = writing.target
  const source = endingWell(writing.append.bytes)
  for await (const piece of inPieces(source.bytes)) {
    if (slot.isOver()) break
    await location.room.require(piece.length)
    await slot.step(() => writePiece(handle, piece, writing.end))
    for (const digest of writing.digests) digest.update(piece)
    writing.end += piece.length
    if (writing.end - writing.durable + pieceSize > durableEvery) await makeDurable(writing)
  }
  const failure = source.failure()
  // When another append took over, the error of the source is the better explanation.
  if (failure && slot.isOver()) return failure
  await makeDurable(writing)
  return failure
}

async function makeDurable(writing: Writing): Promise<void> {
  const { append, end } = writing
  const { handle, location, slot } = writing.target
  await slot.step(() => location.durability.file(handle))
  const isNew = end > writing.durable
  writing.durable = end
  if (isNew && !append.checksum) await append.onDurable?.(end)
}

function requireProof({ checksum }: Append, proof: Hash, failure: Appended['failure']): void {
  if (failure) throw failure.error
  if (proof.digest('base64') === checksum?.digest) return
  throw new ChecksumMismatch('The bytes do not match the checksum: send them again.')
}

/**
 * Only a clean-up: the next append discards bytes that do not count in any case. A file that shares
 * its bytes with a blob is left alone, and so is one that another append took over.
 */
async function cutBack({ handle, slot }: AppendTarget, end: number): Promise<void> {
  try {
    await slot.step(async () => {
      const { nlink } = await handle.stat()
      if (nlink === 1) await handle.truncate(end)
    })
  } catch {
    // The caller needs the earlier error, not this one.
  }
}
