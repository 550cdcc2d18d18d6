import type { CallOptions } from '../api/call.ts'
import type { Method } from '../forms.ts'
import {
  proxiedAnswerHeaders,
  proxiedMethods,
  proxiedRequestHeaders,
  proxiedStatusHeader,
} from '../proxied-headers.ts'
import type { Proxied } from '../api/proxied.ts'
import { encodeCallOptions } from './call-headers.ts'
import { bytesOf, located, type EncodedRequest } from './encode-request.ts'
import { invalidMember, isMembers } from './invalid.ts'
import type { Route } from './route.ts'

/**
 * A call as a request to proxy. Errors: QuireError `invalid` that names the member that cannot be
 * sent.
 */
export function encodeProxiedRequest(
  route: Route,
  input: unknown,
  { requestId }: CallOptions = {},
): EncodedRequest {
  const { path, rest } = located(route, input)
  const { method, query, headers = {}, body, ...others } = rest
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalidMember(unknown, 'is not a known member')
  return {
    method: methodOf(method),
    path: query === undefined ? path : `${path}?${queryOf(query)}`,
    headers: { ...encodeCallOptions(requestId === undefined ? {} : { requestId }), ...headersOf(headers) },
    ...(body !== undefined && { file: bytesOf(body) }),
  }
}

function methodOf(method: unknown): Method {
  const known = proxiedMethods.find((one) => one === method)
  if (known) return known
  throw invalidMember('method', `must be one of ${proxiedMethods.join(', ')}`)
}

function queryOf(query: unknown): string {
  if (typeof query === 'string' && /^[!"$-~]+$/.test(query)) return query
  throw invalidMember('query', 'must be percent-encoded, without a leading question mark and without a #')
}

function headersOf(headers: unknown): Record<string, string> {
  if (!isMembers(headers)) throw invalidMember('headers', 'must be an object')
  const pairs = Object.entries(headers).filter(([, value]) => value !== undefined)
  return Object.fromEntries(pairs.map(([name, value]) => [name, headerOf(name, value)]))
}

function headerOf(name: string, value: unknown): string {
  const names: readonly string[] = proxiedRequestHeaders
  if (!names.includes(name)) throw invalidMember(`headers.${name}`, 'is not proxied')
  if (typeof value === 'string' && /^[\t -~]*$/.test(value)) return value
  throw invalidMember(`headers.${name}`, 'must be visible ASCII')
}

/** The parts of a request to proxy. */
export interface ProxiedParts {
  /** The names of the path, percent-decoded. */
  readonly params: Readonly<Record<string, unknown>>
  readonly method: string
  /** The raw query string, without its question mark. */
  readonly query: string
  /** The value of a header by its name in lower case. */
  readonly header: (name: string) => string | null | undefined
  /** The bytes of the body. */
  readonly body?: unknown
}

/** The input of a request to proxy, with only the headers that are proxied. */
export function decodeProxiedRequest({
  params,
  method,
  query,
  header,
  body,
}: ProxiedParts): Record<string, unknown> {
  const sent = proxiedRequestHeaders.flatMap((name) => {
    const value = header(name)
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...params,
    method,
    ...(query !== '' && { query }),
    headers: Object.fromEntries(sent),
    ...(body !== undefined && { body }),
  }
}

/**
 * The headers of a proxied response: those of the upstream, and those that keep a browser from
 * running any of it on our origin (TRUST S10, S28).
 */
export function proxiedReplyHeaders(
  { status, headers }: Pick<Proxied, 'status' | 'headers'>,
  requestId: string,
): Record<string, string> {
  return {
    ...headers,
    'x-request-id': requestId,
    [proxiedStatusHeader]: String(status),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
}

/** The headers of a response that come from the upstream. */
export function proxiedHeadersOf(
  header: (name: string) => string | null | undefined,
): Record<string, string> {
  const came = proxiedAnswerHeaders.flatMap((name) => {
    const value = header(name)
    return value === null || value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(came)
}
