import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { BlobCorrupt, type ByteRange, requireHash, verifiedWhole } from '@quire/core/ports'
import { smallBytes } from './known.ts'
import { isIntact, type OpenedBlob, openBlob } from './opened-blob.ts'
import { type NextChunk, piecesOf } from './chunks.ts'
import { streamOf, streamOfPieces } from './chunk-stream.ts'
import type { Location } from './location.ts'

/**
 * Blobs of up to this many bytes stay in memory after verification until they are sent, instead of
 * being read a second time. 4 MiB covers most pictures. At twice, a hundred slow readers of
 * unverified blobs would hold 800 MiB.
 */
const heldBytes = 4 * 1024 * 1024

/** Implements `Blobs.read`: the bytes of a blob or of a part of it. */
export async function readBlob(
  location: Location,
  hash: string,
  range?: ByteRange,
): Promise<Readable | null> {
  requireHash(hash)
  return readSmallOr(location, { hash, range, open: () => openBlob(location, hash) })
}

/** A read, and how to open the file if it is not in memory. */
export interface OpenRead {
  readonly hash: string
  readonly range?: ByteRange | undefined
  readonly open: () => Promise<OpenedBlob | null>
}

/** Reads from memory or from the opened file; null when there is none. */
export async function readSmallOr(
  location: Location,
  { hash, range, open }: OpenRead,
): Promise<Readable | null> {
  const small = location.known.small.get(hash)
  if (small) return streamOfPieces([partOf(small, range)])
  const opened = await open()
  if (!opened) return null
  try {
    return await (range ? readRange(opened, range) : readWhole(location, opened))
  } catch (error) {
    await opened.handle.close()
    throw error
  }
}

/** A copy, because the next reader gets the cached bytes too. */
function partOf(small: Buffer, range: ByteRange | undefined): Buffer {
  if (!range) return Buffer.from(small)
  requireRange(range, small.length)
  return Buffer.from(small.subarray(range.start, range.end + 1))
}

function requireRange({ start, end }: ByteRange, size: number): void {
  const fits = Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && start <= end
  if (!fits || end >= size)
    throw new RangeError(`Bytes ${start} to ${end} are not part of a blob of ${size} bytes.`)
}

async function readRange(opened: OpenedBlob, range: ByteRange): Promise<Readable> {
  requireRange(range, opened.size)
  return streamOfFile(opened, wholePart(opened, range))
}

async function readWhole(location: Location, opened: OpenedBlob): Promise<Readable> {
  if (opened.size <= smallBytes) return readSmall(location, opened)
  if (opened.size <= verifiedWhole) return readChecked(location, opened)
  if (location.known.isVerified(opened.identity)) return streamOfFile(opened, wholePart(opened))
  return streamOfFile(opened, provedPieces(location, opened))
}

async function readSmall(location: Location, opened: OpenedBlob): Promise<Readable> {
  const pieces: Uint8Array[] = []
  const intact = await isIntact(opened, (piece) => pieces.push(piece))
  if (!intact) throw new BlobCorrupt(opened.hash)
  await opened.handle.close()
  const bytes = Buffer.concat(pieces)
  location.known.small.set(opened.hash, bytes)
  return streamOfPieces([partOf(bytes, undefined)])
}

async function readChecked(location: Location, opened: OpenedBlob): Promise<Readable> {
  const pieces: Uint8Array[] = []
  const take = opened.size <= heldBytes ? (piece: Uint8Array) => void pieces.push(piece) : undefined
  const intact = await location.known.check(opened.identity, () => isIntact(opened, take))
  if (!intact) throw new BlobCorrupt(opened.hash)
  if (pieces.length === 0) return streamOfFile(opened, wholePart(opened))
  await opened.handle.close()
  return streamOfPieces(pieces)
}

function streamOfFile({ handle }: OpenedBlob, next: NextChunk): Readable {
  return streamOf({ next, close: () => handle.close() })
}

/** Reads a part of a file. A file that ends too early was truncated and is reported as corrupt. */
function wholePart({ handle, hash, size }: OpenedBlob, range?: ByteRange): NextChunk {
  const start = range?.start ?? 0
  const end = range ? range.end + 1 : size
  const next = piecesOf({ handle, start, end })
  let left = end - start
  return async () => {
    const piece = await next()
    left -= piece?.length ?? 0
    if (piece === null && left > 0) throw new BlobCorrupt(hash)
    return piece
  }
}

/**
 * Reads all pieces of a blob. The last one is only returned once the hash of all of them matches.
 */
function provedPieces({ known }: Location, { handle, hash, size, identity }: OpenedBlob): NextChunk {
  const digest = createHash('sha256')
  const next = piecesOf({ handle, start: 0, end: size })
  let held: Uint8Array | null = null
  const hold = (piece: Uint8Array | null) => {
    const before = held
    held = piece
    if (piece) digest.update(piece)
    return before
  }
  return async () => {
    if (held === null) hold(await next())
    if (held === null) return null
    const given = hold(await next())
    if (held !== null) return given
    if (digest.digest('hex') !== hash) throw new BlobCorrupt(hash)
    known.remember(identity)
    return given
  }
}
