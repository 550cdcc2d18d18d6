import { type OutboundRequest } from '../ports/index.ts'

/** RFC 9110 §5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 9110 §5.5 without obs-text: servers interpret bytes beyond ASCII differently. */
const fieldValue = /^[\t\x20-\x7e]*$/

/**
 * Headers of the connection (RFC 9110 §7.6.1, §10.1.1), of the message length, and of the target
 * host.
 */
const ofTheConnection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*)$/i

/**
 * What is wrong with a URL: its form, scheme or credentials; null when nothing is. Does not check
 * which host it names.
 */
export function outboundUrlProblem(url: string): string | null {
  // The parser drops tabs, line breaks and surrounding spaces: another parser could read another
  // URL.
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url))
    return 'A URL begins with http:// or https://, names a host and contains no spaces.'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `A URL begins with http:// or https://, not with ${protocol}`
  return username === '' && password === '' ? null : 'A URL must not contain a user name or a password.'
}

/**
 * What is wrong with the form of a request: its URL, method or headers (TRUST S12); null when
 * nothing is.
 */
export function outboundRequestProblem({
  url,
  method,
  headers,
}: Pick<OutboundRequest, 'url' | 'method' | 'headers'>): string | null {
  const wrong = headers.find(([name, value]) => headerProblem(name, value) !== null)
  return outboundUrlProblem(url) ?? methodProblem(method) ?? (wrong ? headerProblem(...wrong) : null)
}

/** The message for a host whose address is not public. */
export function notPublic(host: string): string {
  return `"${host}" is not at a public address. The operator of the service can allow it.`
}

// CONNECT would turn the connection into a tunnel.
function methodProblem(method: string): string | null {
  if (token.test(method) && method.toUpperCase() !== 'CONNECT') return null
  return `${JSON.stringify(method)} is not a method that can be sent.`
}

function headerProblem(name: string, value: string): string | null {
  if (!token.test(name)) return `${JSON.stringify(name)} is not a valid header name.`
  if (ofTheConnection.test(name)) return `The header "${name}" belongs to the connection: leave it out.`
  if (fieldValue.test(value)) return null
  return `The value of the header "${name}" must contain only visible ASCII, spaces and tabs.`
}
