import type { CallOptions } from '../api/call.ts'
import type { Endpoint } from '../endpoint.ts'
import { QuireError } from '../errors.ts'
import { invalidMember } from './invalid.ts'

/**
 * The headers of a call, in lower case. Errors: QuireError `invalid` for text that a header cannot
 * hold.
 */
export function encodeCallOptions(options: CallOptions): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [header, option] of headersOfOptions) {
    const text = options[option]
    if (text === undefined) continue
    if (/[^ -~]/.test(text)) throw invalidMember(option, 'must be printable ASCII')
    // In quotes; JSON escapes those inside, which no entity tag contains.
    headers[header] = header === 'if-match' ? JSON.stringify(text) : text
  }
  return headers
}

const headersOfOptions = [
  ['if-match', 'ifMatch'],
  ['idempotency-key', 'idempotencyKey'],
  ['x-request-id', 'requestId'],
  ['quire-program', 'program'],
] as const

/**
 * The options of a call from its headers. `header` returns the value of a header by its name in
 * lower case. An unsafe request id (see `safeRequestId`) is left out, so that a new one is made, as
 * is an unsafe program (see `safeProgram`).
 * `If-Match: *` has no effect; a weak tag matches nothing (RFC 9110 §13.1.1).
 * Errors: QuireError `invalid` for an `If-Match` that cannot be parsed.
 */
export function decodeCallOptions(header: (name: string) => string | null | undefined): CallOptions {
  const ifMatch = decodeIfMatch(header('if-match') ?? '*')
  const idempotencyKey = header('idempotency-key') ?? undefined
  const requestId = safeRequestId(header('x-request-id'))
  return {
    ...decodeProgram(header),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(requestId !== undefined && { requestId }),
  }
}

/**
 * The caller's request id if it is safe in logs, headers and file names: 1 to 128 letters, digits
 * and `._-`; otherwise undefined.
 */
export function safeRequestId(text: string | null | undefined): string | undefined {
  return typeof text === 'string' && /^[\w.-]{1,128}$/.test(text) ? text : undefined
}

/**
 * The name of a caller's program if it is safe in the journal: 1 to 200 printable ASCII characters,
 * without spaces around them; otherwise undefined.
 */
export function safeProgram(text: string | null | undefined): string | undefined {
  return typeof text === 'string' && /^(?! )[ -~]{1,200}(?<! )$/.test(text) ? text : undefined
}

function decodeProgram(header: (name: string) => string | null | undefined): Pick<CallOptions, 'program'> {
  const program = safeProgram(header('quire-program'))
  return program === undefined ? {} : { program }
}

/**
 * The program, and the headers that affect a read of bytes; no header affects any other read. Errors:
 * `invalid` for an `If-Match` that cannot be parsed.
 */
export function decodeConditions(
  { answer }: Pick<Endpoint, 'answer'>,
  header: (name: string) => string | null | undefined,
): CallOptions {
  if (answer !== 'bytes') return decodeProgram(header)
  const { ifMatch, program } = decodeCallOptions(header)
  const accept = header('accept') ?? undefined
  return {
    ...(program !== undefined && { program }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(accept !== undefined && { accept }),
  }
}

function decodeIfMatch(text: string): string | undefined {
  const tag = text.trim()
  if (tag === '*') return undefined
  if (/^"[^"]*"$/.test(tag)) return tag.slice(1, -1)
  // A list (RFC 9110 §13.1.1) is returned unchanged: `requireMatch` parses it.
  if (!tag.includes(',') || listOfTags.test(tag)) return tag
  throw new QuireError('invalid', 'If-Match must contain entity tags in quotes, separated by commas.')
}

const listOfTags = /^(?:W\/)?"[^"]*"(?:\s*,\s*(?:W\/)?"[^"]*")*$/
