import { randomUUID } from 'node:crypto'
import { BlobsUnavailable } from '@quire/core/ports'
import { md5Of, putObject } from './bucket.ts'
import { piecesPrefix } from './keys.ts'
import type { BlobPart } from './manifest.ts'
import { type Part, smallestPart } from './multipart.ts'
import { readSmall } from './object-reader.ts'
import type { Location } from './location.ts'

/** The location of the pieces of one upload. */
export interface PartFolder {
  readonly location: Location
  /** The prefix of their names, including the last slash. */
  readonly prefix: string
}

/** The location of the pieces of a partial blob. Errors: TypeError for an invalid id. */
export function folderOf(location: Location, id: string): PartFolder {
  return { location, prefix: piecesPrefix(location.keys, id) }
}

/** Stores bytes as an object. They count once a manifest names it. */
export async function storePiece({ location, prefix }: PartFolder, bytes: Uint8Array): Promise<BlobPart> {
  const name = randomUUID()
  const etag = await putObject(location.connection, prefix + name, bytes)
  return { name, stored: bytes.length, size: bytes.length, md5: md5Of(bytes).hex, etag }
}

/**
 * Reads the bytes of a piece that count. Errors: BlobsUnavailable when they are missing or damaged.
 */
export async function readPiece({ location, prefix }: PartFolder, piece: BlobPart): Promise<Buffer> {
  const key = prefix + piece.name
  const found = await readSmall(location.connection, key, (bytes) => md5Of(bytes).hex === piece.md5)
  if (!found?.right) {
    const how = found ? 'damaged' : 'missing'
    throw new BlobsUnavailable('failing', `The piece ${key} is ${how}: start the upload again.`)
  }
  return found.bytes.subarray(0, piece.size)
}

/**
 * Converts pieces to parts of one object. The store copies those that are large enough; smaller
 * ones are read and sent together with the following pieces. Cost: two pieces in memory.
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

/**
 * Number of small pieces at the end from which they are merged into one. At twice, each append
 * writes a list of pieces that is up to twice as long.
 */
const mostSmall = 64

/**
 * Merges small pieces at the end once together they are large enough for a part, or are many. Small
 * appends then cost one more read and write of their bytes, instead of one part each.
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
