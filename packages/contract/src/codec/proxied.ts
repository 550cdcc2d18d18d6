import type { Method } from '../forms.ts'
import {
  proxiedAnswerHeaders,
  proxiedMethods,
  proxiedRequestHeaders,
  proxiedStatusHeader,
} from '../proxied-headers.ts'
import type { Proxied } from '../api/proxied.ts'
import type { InvalidMember } from './invalid.ts'
import { requireFile } from './require-file.ts'
import type { SpecialRequest } from './special-form.ts'

/**
 * A request to proxy. Errors: QuireError `invalid` that names the member that cannot be sent.
 */
export function encodeProxiedRequest(
  { method, query, headers = {}, body, ...others }: Readonly<Record<string, unknown>>,
  invalid: InvalidMember,
): SpecialRequest {
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw invalid(unknown, 'is not a known member')
  return {
    method: methodOf(method, invalid),
    ...(query !== undefined && { query: queryOf(query, invalid) }),
    headers: headersOf(headers, invalid),
    ...(body !== undefined && { file: requireFile(body, invalid) }),
  }
}

function methodOf(method: unknown, invalid: InvalidMember): Method {
  const known = proxiedMethods.find((one) => one === method)
  if (known) return known
  throw invalid('method', `must be one of ${proxiedMethods.join(', ')}`)
}

function queryOf(query: unknown, invalid: InvalidMember): string {
  if (typeof query === 'string' && /^[!"$-~]+$/.test(query)) return query
  throw invalid('query', 'must be percent-encoded, without a leading question mark and without a #')
}

function headersOf(headers: unknown, invalid: InvalidMember): Record<string, string> {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers))
    throw invalid('headers', 'must be an object')
  const pairs = Object.entries(headers).filter(([, value]) => value !== undefined)
  for (const [name, value] of pairs) requireHeader(name, value, invalid)
  return Object.fromEntries(pairs)
}

function requireHeader(name: string, value: unknown, invalid: InvalidMember): void {
  const names: readonly string[] = proxiedRequestHeaders
  if (!names.includes(name)) throw invalid(`headers.${name}`, 'is not proxied')
  if (typeof value !== 'string' || !/^[\t -~]*$/.test(value))
    throw invalid(`headers.${name}`, 'must be visible ASCII')
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
