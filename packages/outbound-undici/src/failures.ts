import { OutboundFailure } from '@quire/core/ports'

/**
 * Why a connection failed, by error code. Messages of Node are not used because they contain
 * addresses.
 */
const reasons: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'its name could not be looked up',
  ECONNREFUSED: 'nothing accepts connections there',
  ECONNRESET: 'it closed the connection at once',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not signed by a trusted authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is sent without the intermediate certificates',
}

/** The failure when no connection could be opened. */
export function unreachable(host: string, cause?: unknown): OutboundFailure {
  const code = codeOf(cause)
  const reason = reasons[code] ?? (isOfTls(code) ? 'the TLS handshake failed' : 'the connection failed')
  return new OutboundFailure('unreachable', `"${host}" cannot be reached: ${reason}.`, { cause })
}

/** The failure when the connection ended early, or the response is not HTTP. */
export function broken(cause?: unknown): OutboundFailure {
  const message = isOfHttp(cause)
    ? 'The response is not HTTP/1.1, or its headers are too large.'
    : 'The connection ended before the response was complete.'
  return new OutboundFailure('broken', message, { cause })
}

/** The failure when a time limit was exceeded. */
export function late(what: 'connection' | 'answer', ms: number): OutboundFailure {
  const missing = what === 'connection' ? 'connection' : 'complete response'
  return new OutboundFailure('timeout', `There was no ${missing} within ${ms / 1_000} s.`)
}

/** The failure when a response stalls. */
export function stalled(ms: number): OutboundFailure {
  return new OutboundFailure('timeout', `No more of the response arrived for ${ms / 1_000} s.`)
}

/** The failure when a response is larger than allowed. */
export function tooLong(most: number): OutboundFailure {
  return new OutboundFailure('broken', `The response has more than ${most} bytes.`)
}

/** The failure when the request was canceled. */
export function aborted(message: string, cause?: unknown): OutboundFailure {
  return new OutboundFailure('aborted', message, { cause })
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

function isOfTls(code: string): boolean {
  return code === 'EPROTO' || /^ERR_(?:TLS|SSL)_/.test(code)
}

// undici's parser errors have no code, only a name.
function isOfHttp(error: unknown): boolean {
  const codes = ['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']
  return codes.includes(codeOf(error)) || (error instanceof Error && error.name === 'HTTPParserError')
}
