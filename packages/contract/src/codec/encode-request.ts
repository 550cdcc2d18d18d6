import type { BytesIn } from '../api/bytes.ts'
import type { CallOptions } from '../api/call.ts'
import { pathName, pathNames } from '../endpoint.ts'
import type { Method } from '../forms.ts'
import { encodeCallOptions } from './call-headers.ts'
import { encodeQuery, encodeText, scalarText } from './encode-query.ts'
import { invalidMember, isMembers } from './invalid.ts'
import { usesQuery, type Route } from './route.ts'
import { credentialHeaders, credentialMembers } from './signed.ts'

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

type Members = Readonly<Record<string, unknown>>

/**
 * A call as a request. Members that the path names go there, the others into the query string (GET,
 * DELETE, bytes) or the body; undefined members are left out. TUS calls have their own codec, which
 * a browser loads with the first such call. Errors: QuireError `invalid` that names the member that
 * cannot be sent.
 */
export function encodePlainRequest(route: Route, input: unknown, options: CallOptions = {}): EncodedRequest {
  const { path, rest } = located(route, input)
  const headers = encodeCallOptions(options)
  const { method } = route
  if (!usesQuery(route)) return { method, path, ...withBody(route, headers, rest) }
  const { file, ...members } = rest
  const query = encodeQuery(members)
  const sent = route.body === 'file' && { file: bytesOf(file) }
  return { method, path: query === '' ? path : `${path}?${query}`, headers, ...sent }
}

/** The path of a call, and the members that are not in it. Errors: QuireError `invalid`. */
export function located(route: Route, input: unknown): { path: string; rest: Members } {
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
    if (rest !== '') return fillRest(name, members[name] ?? '')
    if (members[name] === undefined) throw invalidMember(name, 'is required')
    const text = scalarText(name, members[name])
    if (text === '') throw invalidMember(name, 'cannot be "": it is part of the path')
    return fillPart(name, text)
  })
}

/** The rest of a path, which may have several segments or none. */
function fillRest(name: string, value: unknown): string {
  const parts = scalarText(name, value).split('/')
  return parts.map((part) => fillPart(name, part)).join('/')
}

function fillPart(name: string, text: string): string {
  if (text === '.' || text === '..') throw invalidMember(name, `cannot be "${text}": it is part of the path`)
  return encodeText(text)
}

type Content = Omit<EncodedRequest, 'method' | 'path'>

function withBody(route: Route, headers: Readonly<Record<string, string>>, members: Members): Content {
  if (route.body === 'form') {
    return {
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: encodeQuery(members),
    }
  }
  if (route.body === 'signed') return signedBody(headers, members)
  const { file, ...others } = members
  if (route.body === 'multipart' || (route.body === 'jsonOrMultipart' && file !== undefined))
    return { headers, body: encodeJson(others), file: bytesOf(file), isForm: true }
  if (Object.keys(members).length === 0) return { headers }
  const value = route.body === 'ids' ? members['ids'] : members
  return { headers: { ...headers, 'content-type': 'application/json' }, body: encodeJson(value) }
}

function signedBody(headers: Content['headers'], members: Members): Content {
  const sent: Record<string, string> = { ...headers, 'content-type': 'application/json' }
  const body: Record<string, unknown> = { ...members }
  for (const name of credentialMembers) {
    if (members[name] !== undefined) sent[credentialHeaders[name]] = scalarText(name, members[name])
    delete body[name]
  }
  return { headers: sent, body: encodeJson(body) }
}

/** Checks that a value is a file that can be sent. Errors: QuireError `invalid`. */
export function bytesOf(file: unknown): BytesIn {
  if (isMembers(file) && typeof file['stream'] === 'function') return file as unknown as BytesIn
  throw invalidMember('file', 'is required: a File, a Blob, or anything with stream()')
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
