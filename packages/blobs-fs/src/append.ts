import { createHash, type Hash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { type Append, type Bytes, ChecksumMismatch, durableEvery } from '@quire/core/ports'
import type { Durability } from './durability.ts'
import { inPieces, pieceSize, writePiece } from './pieces.ts'

/** An append under way. */
interface Writing {
  readonly handle: FileHandle
  readonly append: Append
  readonly durability: Durability
  /** Hashes that every byte goes into. */
  readonly digests: readonly Hash[]
  /** What is written ends here. */
  end: number
  /** What is durable and told ends here. */
  durable: number
}

/** What an append is done on. */
export interface AppendTarget {
  /** The open file, which ends at the offset. */
  readonly handle: FileHandle
  readonly durability: Durability
  /** The hash of the bytes before the offset; null when it is not known. */
  readonly running: Hash | null
}

/** How an append ended. `failure` is that of the source, of which the bytes before it count. */
export interface Appended {
  readonly end: number
  readonly failure: { readonly error: unknown } | null
}

/**
 * Writes the bytes of an append. Whatever else than the source fails cuts the file back to what counts, and is passed on.
 * Errors: ChecksumMismatch; with a checksum, what the source fails with.
 */
export async function writeAppend(target: AppendTarget, append: Append): Promise<Appended> {
  const { handle, durability, running } = target
  const proof = append.checksum ? createHash(append.checksum.algorithm) : null
  const digests = [running, proof].filter((digest) => digest !== null)
  const { offset } = append
  const writing: Writing = { handle, append, durability, digests, end: offset, durable: offset }
  try {
    const failure = await writeFrom(writing)
    if (proof) requireProof(append, proof, failure)
    return { end: writing.end, failure }
  } catch (error) {
    await cutBack(handle, proof ? offset : writing.durable)
    throw error
  }
}

async function writeFrom(writing: Writing): Promise<Appended['failure']> {
  const source = endingWell(writing.append.bytes)
  for await (const piece of inPieces(source.bytes)) {
    await writePiece(writing.handle, piece, writing.end)
    for (const digest of writing.digests) digest.update(piece)
    writing.end += piece.length
    if (writing.end - writing.durable + pieceSize > durableEvery) await makeDurable(writing)
  }
  await makeDurable(writing)
  return source.failure()
}

async function makeDurable(writing: Writing): Promise<void> {
  const { handle, durability, append, end } = writing
  await durability.file(handle)
  const isNew = end > writing.durable
  writing.durable = end
  if (isNew && !append.checksum) await append.onDurable?.(end)
}

/** A source that fails ends as if it were done, so that what came is kept as at any other end. */
function endingWell(bytes: Bytes): { readonly bytes: Bytes; readonly failure: () => Appended['failure'] } {
  let failure: Appended['failure'] = null
  async function* ending(): AsyncGenerator<Uint8Array> {
    try {
      yield* bytes
    } catch (error) {
      failure = { error }
    }
  }
  return { bytes: ending(), failure: () => failure }
}

function requireProof({ checksum }: Append, proof: Hash, failure: Appended['failure']): void {
  if (failure) throw failure.error
  if (proof.digest('base64') === checksum?.digest) return
  throw new ChecksumMismatch('The bytes are not those of the checksum: send them again.')
}

/**
 * Cleaning up only: bytes that do not count are discarded by the next append all the same. A file that a blob shares its bytes
 * with is left alone.
 */
async function cutBack(handle: FileHandle, end: number): Promise<void> {
  try {
    const { nlink } = await handle.stat()
    if (nlink === 1) await handle.truncate(end)
  } catch {
    // What failed before is what the caller has to know.
  }
}
