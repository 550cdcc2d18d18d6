import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** An address of either family. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/**
 * Unicast addresses that IANA has allocated globally (RFC 4291 §2.5.4). IPv6 addresses outside of
 * it are not public.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3')

/** NAT64 (RFC 6052 §2.1): the last four bytes are the IPv4 address that is contacted. */
const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')

/**
 * A public address by its number, but in Azure each machine uses it to reach the service that holds
 * its certificates and secrets.
 */
const wireServer = '168.63.129.16'

/** Parses an address: dotted IPv4, or IPv6 whose zone is dropped. Null for any other text. */
export function parseAddress(text: string): Address | null {
  if (isIP(text) === 0) return null
  const [address = ''] = text.split('%')
  return ipaddr.parse(address)
}

/**
 * The address that is actually contacted: the IPv4 address inside a mapped address (RFC 4291
 * §2.5.5.2) or a NAT64 address.
 */
export function reachedBy(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  return address.match(nat64) ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address
}

/**
 * Whether an address is global unicast. Tunnel addresses with an IPv4 address inside (6to4, Teredo,
 * NAT64 of a site) never are: no services use them any more.
 */
export function isPublic(address: Address): boolean {
  const reached = reachedBy(address)
  if (reached.range() !== 'unicast' || reached.toString() === wireServer) return false
  return reached instanceof ipaddr.IPv4 || reached.match(globalUnicast)
}
