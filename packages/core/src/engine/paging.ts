import { limits } from '@quire/contract'
import { base64UrlOf, bytesOfBase64Url } from '../adapters/base64.ts'
import { invalid } from './check-input.ts'
import type { Call } from './call.ts'
import type { Bytes } from '../ports/index.ts'

/** A page of a list that is small enough to hold in memory. */
export interface SmallPage<T> {
  readonly count: number
  readonly items: T[]
  readonly nextCursor?: string
}

/**
 * The input of a small list. Without a limit the whole list is returned
 * (DESIGN "Conventions of the API").
 */
export interface PageInput {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A page of entries ordered by id; the cursor contains the last id of the previous page. */
export function pageOf<T extends { readonly id: string }>(
  entries: readonly T[],
  { limit, cursor }: PageInput,
): SmallPage<T> {
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const after = cursor === undefined ? '' : decodeCursor(cursor)
  if (typeof after !== 'string') throw badCursor()
  const rest = sorted.filter((entry) => entry.id > after)
  const items = limit === undefined ? rest : rest.slice(0, limit)
  const last = items.at(-1)
  const goesOn = last !== undefined && items.length < rest.length
  return { count: entries.length, items, ...(goesOn && { nextCursor: encodeCursor(last.id) }) }
}

/** Encodes a JSON value as an opaque cursor in base64url. */
export function encodeCursor(value: unknown): string {
  return base64UrlOf(new TextEncoder().encode(JSON.stringify(value)))
}

/** The value of a cursor. Errors: `invalid`. */
export function decodeCursor(cursor: string): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOfBase64Url(cursor)))
  } catch {
    throw badCursor()
  }
}

/** The error for a cursor that is invalid or belongs to another list. */
export function badCursor() {
  return invalid([{ path: 'cursor', message: 'is not the nextCursor of this list' }])
}

/** The total of a list whose count is limited. */
export interface Counted {
  readonly count?: number
  readonly countIsExact?: false
}

/** The total, given the entries found by a query limited to one more than are counted. */
export function countedOf(found: number): Counted {
  return found > limits.counted ? { count: limits.counted, countIsExact: false } : { count: found }
}

/** All bytes of a source in one array. */
export async function collect(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return joined(chunks)
}

/**
 * Chunk size in bytes: 64 KiB. At twice, slow readers hold twice as much; at half, reading takes
 * more turns.
 */
const pieceSize = 64 * 1024

/**
 * Copies of bytes in memory, chunk by chunk as they are read: a reader may overwrite its chunk or
 * transfer it to a worker.
 */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.slice(start, start + pieceSize)
}

/** Concatenates chunks. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.length
  }
  return all
}

/**
 * Encodes a position in a list as an opaque cursor that only this service can read. For positions
 * that contain more than the reader may know, such as the id of a skipped entry or the amount of
 * writes in other repositories.
 */
export async function sealCursor(call: Call, list: string, position: unknown): Promise<string> {
  const text = JSON.stringify(position)
  const padded = text.padEnd(Math.ceil(text.length / step) * step)
  return call.environment.secrets.seal(padded, purposeOf(list))
}

// Sealed text is as long as its plain text, and the length of a number reveals its magnitude, so it
// is padded to steps. At half this value, ids take two steps.
const step = 64

/** The position in a sealed cursor. Errors: `invalid` if it is not a cursor of this list. */
export async function openCursor(call: Call, list: string, cursor: string): Promise<unknown> {
  try {
    return JSON.parse(await call.environment.secrets.open(cursor, purposeOf(list)))
  } catch {
    throw badCursor()
  }
}

function purposeOf(list: string): string {
  return `cursor:${list}`
}
