import type { Principal } from '@quire/core'

/** The name under which the requests of an account count; null for a caller without one. */
export function accountOf(principal: Principal): string | null {
  return principal.kind === 'user' || principal.kind === 'service'
    ? `${principal.kind}:${principal.id}`
    : null
}

/**
 * The network of an address, for counting. For IPv6 it is the /64: one subscriber has as many
 * addresses in it as they want (RFC 6177).
 */
export function networkOf(address: string | undefined): string {
  // A closed connection has no address.
  if (address === undefined) return 'none'
  if (!address.includes(':') || address.includes('.')) return address
  const [first = [], last = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = address.includes('::') ? 8 - first.length - last.length : 0
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':')
}
