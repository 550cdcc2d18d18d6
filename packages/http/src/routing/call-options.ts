import { limits, QuireError, type CallOptions, type Endpoint, type NamedEndpoint } from '@quire/contract'
import { decodeCallOptions, decodeConditions } from '@quire/contract/codec'
import type { HeaderOf } from '../callers/authentication.ts'

/**
 * The options of a call from its headers. Every call may name its program. Reads support only If-None-Match; reads of bytes, which can
 * be a POST, also support If-Match. Only a POST that changes something supports idempotency keys.
 * Errors: `invalid`.
 */
export function callOptionsOf(endpoint: Endpoint, header: HeaderOf, requestId: string): CallOptions {
  if (endpoint.method === 'GET' || endpoint.answer === 'proxied' || endpoint.answer === 'bytes')
    return { requestId, ...decodeConditions(endpoint, header) }
  const { idempotencyKey: key, ...others } = decodeCallOptions(header)
  if (key === undefined || endpoint.method !== 'POST') return { ...others, requestId }
  return { ...others, idempotencyKey: requireKeyText(key), requestId }
}

function requireKeyText(key: string): string {
  if (/^[ -~]{1,255}$/.test(key)) return key
  throw new QuireError('invalid', 'Idempotency-Key must be 1 to 255 printable ASCII characters.')
}

/** The most bytes of a body that is not read as a stream. */
export function bodyLimitOf({ endpoint, group }: NamedEndpoint): number {
  return endpoint.bodyBytes ?? (group === 'items' ? limits.itemBodyBytes : limits.bodyBytes)
}

/**
 * A one-time link is for the person who opens it. A browser that prefetches it is refused and
 * requests it again when the link is opened. Errors: `invalid`.
 */
export function requireOpened(header: HeaderOf): void {
  const given = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map((name) => header(name) ?? '')
  if (given.some((text) => /prefetch|prerender|preview/i.test(text)))
    throw new QuireError('invalid', 'This address cannot be prefetched: open it to sign in.')
}

/**
 * Rejects empty path parameters: `/api/items/magazine/` is not an item. The rest of a path may be
 * empty; `rest` is its name. Errors: `not_found`.
 */
export function requireNames(params: object, rest: string | undefined): void {
  for (const [name, value] of Object.entries(params))
    if (value === '' && name !== rest)
      throw new QuireError('not_found', `There is nothing at this address: it has no ${name}.`)
}
