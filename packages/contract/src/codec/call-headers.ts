import type { CallOptions } from '../contract.ts'
import type { Endpoint } from '../endpoint.ts'
import { QuireError } from '../errors.ts'

/** The headers of a call, in lower case. Errors: QuireError `invalid` for text that a header cannot hold. */
export function encodeCallOptions({
  ifMatch,
  idempotencyKey,
  requestId,
}: CallOptions): Record<string, string> {
  return {
    ...(ifMatch !== undefined && { 'if-match': `"${requireHeaderText('ifMatch', ifMatch, /^[!#-~]*$/)}"` }),
    ...(idempotencyKey !== undefined && {
      'idempotency-key': requireHeaderText('idempotencyKey', idempotencyKey, /^[ -~]*$/),
    }),
    ...(requestId !== undefined && { 'x-request-id': requireHeaderText('requestId', requestId, /^[ -~]*$/) }),
  }
}

function requireHeaderText(option: string, text: string, permitted: RegExp): string {
  if (permitted.test(text)) return text
  throw new QuireError('invalid', `${option} must be printable ASCII: it travels in a header.`)
}

/**
 * The options of a call from its headers. `header` gives the value of a header by its name in lower case.
 * A request id that is not safe (see `safeRequestId`) is left out, so that a new one is made.
 * `If-Match: *` asks for nothing, a weak tag matches nothing (RFC 9110 §13.1.1).
 * Errors: QuireError `invalid` for more than one entity tag.
 */
export function decodeCallOptions(header: (name: string) => string | null | undefined): CallOptions {
  const ifMatch = decodeIfMatch(header('if-match') ?? '*')
  const idempotencyKey = header('idempotency-key') ?? undefined
  const requestId = safeRequestId(header('x-request-id'))
  return {
    ...(ifMatch !== undefined && { ifMatch }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(requestId !== undefined && { requestId }),
  }
}

/** The caller's request id where it is safe in logs, headers and file names: 1 to 128 letters, digits and `._-`; else undefined. */
export function safeRequestId(text: string | null | undefined): string | undefined {
  return typeof text === 'string' && /^[\w.-]{1,128}$/.test(text) ? text : undefined
}

/** What a read of bytes depends on beside its input; of other reads nothing does. Errors: `invalid` for an If-Match that cannot be read. */
export function decodeConditions(
  { answer }: Pick<Endpoint, 'answer'>,
  header: (name: string) => string | null | undefined,
): CallOptions {
  if (answer !== 'bytes') return {}
  const { ifMatch } = decodeCallOptions(header)
  const accept = header('accept') ?? undefined
  return { ...(ifMatch !== undefined && { ifMatch }), ...(accept !== undefined && { accept }) }
}

function decodeIfMatch(text: string): string | undefined {
  const tag = text.trim()
  if (tag === '*') return undefined
  if (/^"[^"]*"$/.test(tag)) return tag.slice(1, -1)
  // A list (RFC 9110 §13.1.1) goes on as it is: `requireMatch` reads it.
  if (!tag.includes(',') || listOfTags.test(tag)) return tag
  throw new QuireError('invalid', 'If-Match takes entity tags in quotes, with commas between them.')
}

const listOfTags = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/
