import { joinList } from './comma-list.ts'
import { invalidMember, isMembers } from './invalid.ts'

/** Maximum number of names in brackets: `filter[fields.price][gte]` has two. */
export const maxBrackets = 3

/**
 * Members as a query string without `?`, in their order and without undefined ones. A list is
 * comma-separated. An object is `name[member]=…`, an empty object `name[]=`. In a bracketed name,
 * `[`, `]` and `\` are escaped with `\`. Errors: QuireError `invalid` for values that a query
 * string cannot represent (null, lists of lists, numbers that are not finite).
 */
export function encodeQuery(members: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(members).flatMap(([name, value]) =>
    pairsOf({ name, path: name, depth: 0 }, value),
  )
  return pairs.map((pair) => pair.map(encodeText).join('=')).join('&')
}

interface Location {
  /** The name as written before the `=`. */
  readonly name: string
  /** The path in dot notation, for errors. */
  readonly path: string
  readonly depth: number
}

function pairsOf(location: Location, value: unknown): [string, string][] {
  if (value === undefined) return []
  if (Array.isArray(value))
    return [[location.name, joinList(value.map((member) => scalarText(location.path, member)))]]
  if (!isMembers(value)) return [[location.name, scalarText(location.path, value)]]
  if (location.depth >= maxBrackets)
    throw invalidMember(location.path, 'is nested too deeply for a query string')
  const inner = Object.entries(value).flatMap(([name, member]) =>
    pairsOf(locationInside(location, name), member),
  )
  return inner.length === 0 ? [[`${location.name}[]`, '']] : inner
}

function locationInside({ name, path, depth }: Location, member: string): Location {
  if (member === '') throw invalidMember(path, 'has a member without a name')
  return {
    name: `${name}[${member.replaceAll(/[[\]\\]/g, '\\$&')}]`,
    path: `${path}.${member}`,
    depth: depth + 1,
  }
}

/**
 * A text, number or boolean as text. Errors: QuireError `invalid` that names the member, for
 * anything else.
 */
export function scalarText(path: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)) return String(value)
  throw invalidMember(path, 'must be text, a finite number or a boolean')
}

/**
 * Percent-encodes a text. Errors: QuireError `invalid` for half a surrogate pair, which UTF-8
 * cannot represent.
 */
export function encodeText(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw invalidMember('', 'A URL cannot have half a surrogate pair.')
  }
}
