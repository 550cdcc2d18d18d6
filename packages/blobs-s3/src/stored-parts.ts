import { randomUUID } from 'node:crypto'
import { BlobsUnavailable } from '@quire/core/ports'
import { md5Of, putObject } from './bucket.ts'
import { piecesPrefix } from './keys.ts'
import type { BlobPart } from './manifest.ts'
import { type Part, smallestPart } from './multipart.ts'
import { readSmall } from './object-reader.ts'
import type { Location } from './location.ts'

/** Where the pieces of one blob that is coming are. */
export interface PartFolder {
  readonly location: Location
  /** What their names begin with, down to the last slash. */
  readonly prefix: string
}

/** Where the pieces of a partial blob are. Errors: TypeError for what is no id of one. */
export function folderOf(location: Location, id: string): PartFolder {
  return { location, prefix: piecesPrefix(location.keys, id) }
}

/** Writes bytes as an object of their own, which counts once somebody names it. */
export async function storePiece({ location, prefix }: PartFolder, bytes: Uint8Array): Promise<BlobPart> {
  const name = randomUUID()
  const etag = await putObject(location.connection, prefix + name, bytes)
  return { name, stored: bytes.length, size: bytes.length, md5: md5Of(bytes).hex, etag }
}

/** The bytes of a piece that count. Errors: BlobsUnavailable when they are not what was written. */
export async function readPiece({ location, prefix }: PartFolder, piece: BlobPart): Promise<Buffer> {
  const key = prefix + piece.name
  const found = await readSmall(location.connection, key, (bytes) => md5Of(bytes).hex === piece.md5)
  if (!found?.right) {
    const how = found ? 'damaged' : 'missing'
    throw new BlobsUnavailable('failing', `The piece ${key} is ${how}: begin the upload again.`)
  }
  return found.bytes.subarray(0, piece.size)
}

/**
 * Pieces as parts of one object: the store copies those that are large enough, and what is smaller is read and sent with what
 * follows. Cost: two pieces in memory.
 */
export async function* partsOf(folder: PartFolder, pieces: readonly BlobPart[]): AsyncGenerator<Part> {
  let small: Buffer[] = []
  let size = 0
  for (const piece of pieces) {
    if (small.length === 0 && piece.size >= smallestPart) {
      yield { key: folder.prefix + piece.name, etag: piece.etag, start: 0, end: piece.size - 1 }
      continue
    }
    small.push(await readPiece(folder, piece))
    size += piece.size
    if (size < smallestPart) continue
    yield Buffer.concat(small)
    small = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(small)
}

/** Small pieces at the end that are read and written as one at most. At twice, a list of pieces is twice as long for each append. */
const mostSmall = 64

/**
 * The same bytes in fewer pieces: small ones at the end become one when together they make a part, or are many. Small appends thus cost
 * one more read and write of their bytes, and not one part each.
 */
export async function gathered(
  folder: PartFolder,
  pieces: readonly BlobPart[],
): Promise<readonly BlobPart[]> {
  const firstSmall = pieces.findLastIndex(({ size }) => size >= smallestPart) + 1
  const small = pieces.slice(firstSmall)
  const size = small.reduce((total, piece) => total + piece.size, 0)
  if (small.length < 2 || (size < smallestPart && small.length < mostSmall)) return pieces
  const bytes: Buffer[] = []
  for (const piece of small) bytes.push(await readPiece(folder, piece))
  return [...pieces.slice(0, firstSmall), await storePiece(folder, Buffer.concat(bytes))]
}
