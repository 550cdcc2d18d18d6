import type { BytesIn } from '../api/bytes.ts'
import type { CallOptions } from '../api/call.ts'
import { pathName, pathNames } from '../endpoint.ts'
import type { Method } from '../forms.ts'
import { encodeCallOptions } from './call-headers.ts'
import { encodeQuery, encodeText, scalarText } from './encode-query.ts'
import { invalidMember, isMembers } from './invalid.ts'
import type { Route } from './route.ts'
import type { SpecialForm } from './special-form.ts'

/** A request to send. */
export interface EncodedRequest {
  readonly method: Method
  /** Path and query string, percent-encoded; begins with `/`. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** The bytes of the body, instead of text. */
  readonly file?: BytesIn
  /** Whether text and bytes are the parts `data` and `file` of multipart/form-data. */
  readonly isForm?: boolean
}

/** A call to encode. */
export interface EncodedCall {
  readonly route: Route
  readonly input: unknown
  readonly options: CallOptions
}

type Members = Readonly<Record<string, unknown>>

/**
 * A call as a request. Members that the path names go there, the others into the query string (GET,
 * DELETE, bytes) or the body; undefined members are left out. Special forms have an
 * encoder of their own. Errors: QuireError `invalid` that names the member that cannot be sent.
 */
export function encodePlainRequest(route: Route, input: unknown, options: CallOptions = {}): EncodedRequest {
  const { path, rest } = located(route, input)
  const headers = encodeCallOptions(options)
  const { method } = route
  if (method !== 'GET' && method !== 'DELETE') return { method, path, ...jsonBody(headers, rest) }
  return { method, path: withQuery(path, encodeQuery(rest)), headers }
}

function withQuery(path: string, query: string): string {
  return query === '' ? path : `${path}?${query}`
}

/** A call of a special form as a request. Errors: as `encodePlainRequest`. */
export function encodeSpecialRequest(
  special: SpecialForm,
  { route, input, options }: EncodedCall,
): EncodedRequest {
  const { path, rest } = located(route, input)
  const made = special.encode(rest, invalidMember)
  const { method = route.method, query, search = {}, headers, json, form, file, isForm } = made
  return {
    method,
    path: withQuery(path, query ?? encodeQuery(search)),
    headers: { ...encodeCallOptions(special.options?.(options) ?? options), ...headers },
    ...(json !== undefined && { body: encodeJson(json) }),
    ...(form && { body: encodeQuery(form) }),
    ...(file && { file }),
    ...(isForm && { isForm }),
  }
}

/** The path of a call, and the members that are not in it. Errors: QuireError `invalid`. */
function located(route: Route, input: unknown): { path: string; rest: Members } {
  if (!isMembers(input)) throw invalidMember('', 'The input must be an object.')
  const template = input['packageName'] === undefined ? route.path : (route.packagePath ?? route.path)
  const path = fillPath(template, input)
  const named = new Set(pathNames(template))
  const rest = Object.entries(input).filter(([name, value]) => !named.has(name) && value !== undefined)
  return { path, rest: Object.fromEntries(rest) }
}

/**
 * A path with its names filled in. Errors: QuireError `invalid` that names a member that is absent,
 * empty, or `.` or `..`, which every client and proxy removes from a path (RFC 3986 §5.2.4).
 */
export function fillPath(template: string, members: Members): string {
  return template.replaceAll(pathName, (_, name: string, rest: string) => {
    const value = members[name]
    if (rest === '' && value === undefined) throw invalidMember(name, 'is required')
    const text = value === undefined ? '' : scalarText(name, value)
    return (rest === '' ? [text] : text.split('/'))
      .map((part) => {
        // The rest of a path may be empty, or have empty segments.
        if (part === '.' || part === '..' || part + rest === '')
          throw invalidMember(name, `cannot be "${part}": it is part of the path`)
        return encodeText(part)
      })
      .join('/')
  })
}

type Content = Omit<EncodedRequest, 'method' | 'path'>

function jsonBody(headers: Content['headers'], members: Members): Content {
  if (Object.keys(members).length === 0) return { headers }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: encodeJson(members) }
}

/**
 * JSON.stringify would send NaN and gaps in lists as null, which removes a value in a merge patch.
 * They are rejected instead.
 */
function encodeJson(value: unknown): string {
  try {
    return JSON.stringify(value, refuseLoss)
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
