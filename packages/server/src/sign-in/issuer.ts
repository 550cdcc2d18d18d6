import { isIPv4 } from 'node:net'
import { OperatorError } from '../operator-error.ts'

/**
 * Parses the address of an issuer (OpenID Connect Discovery 1.0 §3): https, or http on this machine
 * for tests and local use.
 * Errors: OperatorError with exit code 2.
 */
export function requireIssuer(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && isSafe(url) && url.search === '' && url.hash === '') return url
  throw new OperatorError(`An issuer must be an address that begins with https://, not "${text}".`, {
    exitCode: 2,
  })
}

/** Whether a response from this address can be trusted to come from there. */
export function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

// RFC 6890 and RFC 6761 §6.3: addresses that never leave this machine.
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
}
