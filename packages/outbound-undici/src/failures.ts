import { OutboundFailure } from '@quire/core/ports'

/** What stood against a connection, by the code of the error: errors of Node hold addresses in their messages. */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such name',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing takes connections there',
  ECONNRESET: 'it ended the connection at once',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is that of another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself alone',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by nobody who is trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is signed by nobody who is trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate comes without those that it rests on',
}

/** No connection came about. */
export function unreachable(host: string, cause?: unknown): OutboundFailure {
  const code = codeOf(cause)
  const reason = reasons[code] ?? (isOfTls(code) ? 'TLS could not be agreed on' : 'no connection came about')
  return new OutboundFailure('unreachable', `"${host}" cannot be reached: ${reason}.`, { cause })
}

/** The connection ended, or what came over it is no HTTP. */
export function broken(cause?: unknown): OutboundFailure {
  const message = isOfHttp(cause)
    ? 'The answer is not HTTP/1.1, or its head is too large.'
    : 'The connection ended before the answer was whole.'
  return new OutboundFailure('broken', message, { cause })
}

/** The time is over. */
export function late(what: 'connection' | 'answer', ms: number): OutboundFailure {
  const wanted = what === 'connection' ? 'connection' : 'whole answer'
  return new OutboundFailure('timeout', `There was no ${wanted} within ${ms / 1_000} s.`)
}

/** The answer stands still. */
export function stalled(ms: number): OutboundFailure {
  return new OutboundFailure('timeout', `Nothing more of the answer came for ${ms / 1_000} s.`)
}

/** The answer has more bytes than are taken. */
export function tooLong(most: number): OutboundFailure {
  return new OutboundFailure('broken', `The answer has more than ${most} bytes.`)
}

/** Somebody called it off. */
export function aborted(message: string, cause?: unknown): OutboundFailure {
  return new OutboundFailure('aborted', message, { cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isOfTls(code: string): boolean {
  return code === 'EPROTO' || /^ERR_(?:TLS|SSL)_/.test(code)
}

// undici gives the code of its parser to no error: the name tells.
function isOfHttp(error: unknown): boolean {
  const codes = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']
  return codes.includes(codeOf(error)) || (error instanceof Error && error.name === 'HTTPParserError')
}
