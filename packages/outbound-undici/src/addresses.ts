import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address of either family. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Unicast that IANA has given out for the whole network (RFC 4291 §2.5.4): what is below nothing else is not public either. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** NAT64 (RFC 6052 §2.1): the last four bytes are the IPv4 address that is reached. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/** Public by its number, but in Azure each machine reaches by it the service that holds its certificates and secrets. */
const wireServer = '168.63.129.16'

/** The address that a text is: dotted, or IPv6 with or without a zone, which is dropped. Null: it is none. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  const [address = ''] = text.split('%')
  return ipaddr.parse(address)
}

/** The address that is reached by another: the IPv4 address in a mapped one (RFC 4291 §2.5.5.2) and in one of NAT64. */
export function reachedBy(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

/**
 * Whether an address is global unicast. Tunnels that carry an IPv4 address inside (6to4, Teredo, NAT64 of a site) are not, whatever they carry:
 * nothing is offered there any more.
 */
export function isPublic(address: Address): boolean {
  const reached = reachedBy(address)
  if (reached.range() !== 'unicast' || reached.toString() === wireServer) return false
  return reached instanceof ipaddr.IPv4 || reached.match(globalUnicast)
}
