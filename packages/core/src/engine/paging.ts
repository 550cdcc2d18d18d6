import { base64UrlOf, bytesOfBase64Url } from './digest.ts'
import { invalid } from './check-input.ts'

/** A page of a list that is small enough to be held whole. */
export interface SmallPage<T> {
  readonly count: number
  readonly items: T[]
  readonly nextCursor?: string
}

/** What a small list takes. Without a limit it comes whole (DESIGN "Conventions of the API"). */
export interface PageInput {
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** A page of entries ordered by id: the cursor is the last id of the page before. */
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

/** A JSON value as an opaque cursor, base64url. */
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

/** The error for a cursor that is none of ours, or of another list. */
export function badCursor() {
  return invalid([{ path: 'cursor', message: 'is not the nextCursor of this list' }])
}
