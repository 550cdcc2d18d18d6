import type { CallOptions } from '../contract.ts'
import { pathNames, type Method } from '../endpoint.ts'
import { encodeCallOptions } from './call-headers.ts'
import { encodeQuery, encodeText, scalarText } from './encode-query.ts'
import { invalidMember, isMembers } from './invalid.ts'
import { usesQuery, type Route } from './route.ts'

/** A request as it goes out. */
export interface EncodedRequest {
  readonly method: Method
  /** Path and query string, percent-encoded; begins with `/`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * A call as a request: names of the path go there, the others to the query string (GET, DELETE) or the body; undefined ones nowhere.
 * Errors: QuireError `invalid` naming the member that cannot be sent.
 */
export function encodeRequest(route: Route, input: unknown, options: CallOptions = {}): EncodedRequest {
  if (!isMembers(input)) throw invalidMember('', 'The input must be an object.')
  const template = input['packageName'] === undefined ? route.path : (route.packagePath ?? route.path)
  const path = fillPath(template, input)
  const named = new Set(pathNames(template))
  const rest = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !named.has(name) && value !== undefined),
  )
  const headers = encodeCallOptions(options)
  if (!usesQuery(route)) return { method: route.method, path, ...withBody(route, headers, rest) }
  const query = encodeQuery(rest)
  return { method: route.method, path: query === '' ? path : `${path}?${query}`, headers }
}

/**
 * A path with its names filled in. Errors: QuireError `invalid` naming the member that is absent, empty, or `.` or `..`, which
 * every client and proxy takes out of a path (RFC 3986 §5.2.4).
 */
export function fillPath(template: string, members: Readonly<Record<string, unknown>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (members[name] === undefined) throw invalidMember(name, 'is required')
    const text = scalarText(name, members[name])
    if (text === '' || text === '.' || text === '..')
      throw invalidMember(name, `cannot be "${text}": it stands in the path`)
    return encodeText(text)
  })
}

function withBody(
  route: Route,
  headers: Readonly<Record<string, string>>,
  members: Readonly<Record<string, unknown>>,
) {
  if (route.body === 'form') {
    return {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeQuery(members),
    }
  }
  if (Object.keys(members).length === 0) return { headers }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: encodeJson(members) }
}

/** JSON.stringify would send NaN and gaps in lists as null, which in a merge patch removes a value: they are refused instead. */
function encodeJson(members: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(members, refuseLoss)
  } catch (error) {
    if (error instanceof TypeError)
      throw invalidMember('', `The input cannot be sent as JSON: ${error.message}`)
    throw error
  }
}

function refuseLoss(this: unknown, name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidMember(name, 'must be a finite number')
  if (value === undefined && Array.isArray(this)) throw invalidMember(name, 'is a gap in a list')
  return value
}
