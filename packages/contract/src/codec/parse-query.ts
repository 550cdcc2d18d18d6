import { ignoresUnknown, pathNames, type Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { maxBrackets } from './encode-query.ts'
import { bareObject, deepFreeze, invalidMember, isMembers } from './invalid.ts'

/**
 * A parsed query string: texts, lists of texts for repeated names, objects for names in brackets.
 * Objects inherit nothing.
 */
export type Query = Readonly<Record<string, unknown>>

/**
 * Parses a query string (with or without `?`) or a form body like URLSearchParams, and `a[b][c]=v`
 * as objects. If `names` are given, other members are left out. A repeated name becomes a list of
 * its texts. Malformed brackets are part of the name.
 * Errors: QuireError `invalid` that names the member, for malformed percent-encoding, for brackets
 * more than 3 deep, for a name that is both a value and an object, and for `__proto__`. Also for
 * more than 1000 pairs, before any is parsed, because anonymous callers can send them.
 */
export function parseQuery(text: string, names?: ReadonlySet<string>): Query {
  const query = bareObject()
  const pairs = text.replace(/^\?/, '').split('&', limits.queryPairs + 1)
  if (pairs.length > limits.queryPairs)
    throw invalidMember('', `A query string or form can have at most ${limits.queryPairs} pairs.`)
  for (const pair of pairs) {
    if (pair !== '' && (!names || names.has(memberOf(pair)))) addPair(query, pair)
  }
  return query
}

// Parsed query strings of one endpoint, 1 to 7 KB each. At half, a site with many different lists
// parses some of them each time, which takes a fifth of the time of such a request.
const mostRemembered = 100
const longestRemembered = 300

/**
 * `parseQuery` for one endpoint. If the endpoint ignores unknown members, only its own members are
 * parsed, so that nothing that others add to its URL can make it fail. The same text is parsed once;
 * the result is frozen.
 */
export function createQueryParser(endpoint: Endpoint): (text: string) => Query {
  const names = ownNames(endpoint)
  const remembered = new Map<string, Query>()
  return (text) => {
    const known = remembered.get(text)
    if (known) return known
    if (text.length > longestRemembered) return deepFreeze(parseQuery(text, names))
    // A part of a text keeps the whole of it in memory, here a URL of up to 16 KB. A clone is a whole.
    const own = structuredClone(text)
    const query = deepFreeze(parseQuery(own, names))
    if (remembered.size >= mostRemembered) remembered.clear()
    remembered.set(own, query)
    return query
  }
}

/** The members that the endpoint reads from a query string; undefined: every member, to refuse others. */
function ownNames({ input, path, packagePath = '' }: Endpoint): ReadonlySet<string> | undefined {
  if (!ignoresUnknown(input)) return undefined
  const inPath = new Set([...pathNames(path), ...pathNames(packagePath)])
  return new Set(Object.keys(input.shape).filter((name) => !inPath.has(name)))
}

/** The member that a pair belongs to; empty if its name is not well-formed. */
function memberOf(pair: string): string {
  const [written = ''] = pair.split('=', 1)
  try {
    return decodeURIComponent(written.replaceAll('+', ' ')).split('[', 1)[0] ?? ''
  } catch {
    return ''
  }
}

function addPair(query: Record<string, unknown>, pair: string): void {
  const end = pair.indexOf('=')
  const written = end < 0 ? pair : pair.slice(0, end)
  const names = namesOf(decodeText(written, written))
  const value = end < 0 ? '' : decodeText(pair.slice(end + 1), names.join('.'))
  if (names.length > maxBrackets + 1)
    throw invalidMember(names.join('.'), `has more than ${maxBrackets} names in brackets`)
  if (names.includes('__proto__')) throw invalidMember(names.join('.'), 'is not a known member')
  put(query, names, value)
}

function decodeText(text: string, path: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw invalidMember(path, 'is not well-formed: `%` begins two hexadecimal digits of UTF-8 text')
  }
}

/** The names in `filter[a][b]`: filter, a, b. `\` escapes the next character. */
function namesOf(name: string): string[] {
  const brackets = /^([^[\]]+)((?:\[(?:[^[\]\\]|\\[^])*\])+)$/.exec(name)
  if (!brackets) return [name]
  const inner = brackets[2]?.match(/\[(?:[^[\]\\]|\\[^])*\]/g) ?? []
  return [brackets[1] ?? '', ...inner.map((part) => part.slice(1, -1).replaceAll(/\\([^])/g, '$1'))]
}

function put(query: Record<string, unknown>, names: readonly string[], value: string): void {
  let object = query
  for (const name of names.slice(0, -1)) object = objectAt(object, name, names)
  const last = names.at(-1) ?? ''
  if (names.length > 1 && last === '') return requireEmpty(names, value)
  const before = object[last]
  if (isMembers(before)) throw bothKinds(names)
  if (before === undefined) object[last] = value
  else if (Array.isArray(before)) before.push(value)
  else object[last] = [before, value]
}

function objectAt(
  object: Record<string, unknown>,
  name: string,
  names: readonly string[],
): Record<string, unknown> {
  const inner = (object[name] ??= bareObject())
  if (typeof inner !== 'object' || Array.isArray(inner)) throw bothKinds(names)
  return inner as Record<string, unknown>
}

// `name[]=` is an empty object. Elsewhere `name[]=v` means a list, but lists are comma-separated
// here.
function requireEmpty(names: readonly string[], value: string): void {
  if (value !== '') throw invalidMember(names.slice(0, -1).join('.'), 'write a list with commas: name=a,b')
}

function bothKinds(names: readonly string[]): Error {
  return invalidMember(names.join('.'), 'is given as a value and as an object')
}
