import { type OutboundRequest } from '../ports/index.ts'

/** RFC 9110 §5.6.2. */
const token = /^[\w!#$%&'*+.^`|~-]+$/

/** RFC 9110 §5.5 without obs-text: servers disagree about letters beyond ASCII. */
const fieldValue = /^[\t\x20-\x7e]*$/

/** What the connection says of itself (RFC 9110 §7.6.1, §10.1.1), where the message ends, and whom it is for. */
const ofTheConnection =
  /^(?:host|content-length|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*)$/i

/** What stands against the text of an address: its form, scheme or credentials. Null: nothing. Where it leads is not looked at. */
export function outboundUrlProblem(url: string): string | null {
  // The parser drops tabs, line ends and blanks around: another one would read another address.
  if (/[\s\p{Cc}]/u.test(url) || !URL.canParse(url))
    return 'An address begins with http:// or https://, names a host and holds no blanks.'
  const { protocol, username, password } = new URL(url)
  if (protocol !== 'http:' && protocol !== 'https:')
    return `An address begins with http:// or https://, not with ${protocol}`
  return username === '' && password === '' ? null : 'An address holds no user name and no password.'
}

/** What stands against the form of a request: its address, method or headers (TRUST S12). Null: nothing. */
export function outboundRequestProblem({
  url,
  method,
  headers,
}: Pick<OutboundRequest, 'url' | 'method' | 'headers'>): string | null {
  const wrong = headers.find(([name, value]) => headerProblem(name, value) !== null)
  return outboundUrlProblem(url) ?? methodProblem(method) ?? (wrong ? headerProblem(...wrong) : null)
}

/** What is said of a host whose address is not public. */
export function notPublic(host: string): string {
  return `"${host}" is not at a public address. Whoever runs the service can allow it.`
}

// CONNECT would make a tunnel of the connection.
function methodProblem(method: string): string | null {
  if (token.test(method) && method.toUpperCase() !== 'CONNECT') return null
  return `${JSON.stringify(method)} is no method that can be sent.`
}

function headerProblem(name: string, value: string): string | null {
  if (!token.test(name)) return `${JSON.stringify(name)} is no name of a header.`
  if (ofTheConnection.test(name)) return `The header "${name}" is the connection's own: leave it out.`
  if (fieldValue.test(value)) return null
  return `The value of the header "${name}" holds something else than visible ASCII, blanks and tabs.`
}
