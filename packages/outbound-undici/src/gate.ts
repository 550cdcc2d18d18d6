import { notPublic, OutboundFailure, outboundUrlProblem } from '@quire/core/ports'
import { isPublic, parseAddress } from './addresses.ts'
import type { Allowance } from './allowance.ts'
import { unreachable } from './failures.ts'
import type { Lookup } from './lookup.ts'
import { type Target, targetOf } from './target.ts'

/** Decides which hosts may be connected to. */
export interface Gate {
  /** Why an address must not be used, as far as its text shows; null when nothing is wrong. */
  problemOf(url: string): string | null
  /**
   * Resolves a target to addresses that may all be connected to. The check holds because only these
   * are connected to.
   * Errors: OutboundFailure `refused` when one of them is not allowed, `unreachable` when there is
   * none.
   */
  addressesOf(target: Target): Promise<readonly string[]>
}

/** Creates a gate that permits public and allowed addresses. */
export function createGate(allowance: Allowance, lookup: Lookup): Gate {
  const mayReach = (text: string, port: number): boolean => {
    const address = parseAddress(text)
    return address !== null && (isPublic(address) || allowance.hasAddress(address, port))
  }
  return {
    problemOf(url) {
      const problem = outboundUrlProblem(url)
      if (problem !== null) return problem
      const { host, port } = targetOf(url)
      const known = knownAddresses(host)
      const isFine = known.length === 0 || known.some((address) => mayReach(address, port))
      return isFine || allowance.hasName(host, port) ? null : notPublic(host)
    },
    async addressesOf({ host, port }) {
      const addresses = parseAddress(host) ? [host] : await lookUp(lookup, host)
      if (allowance.hasName(host, port) || addresses.every((address) => mayReach(address, port)))
        return addresses
      throw new OutboundFailure('refused', notPublic(host))
    },
  }
}

/**
 * The addresses that follow from the text of a host: an address is its own, and localhost is this
 * machine (RFC 6761 §6.3).
 */
function knownAddresses(host: string): readonly string[] {
  if (parseAddress(host)) return [host]
  return /(?:^|\.)localhost\.?$/.test(host) ? ['127.0.0.1', '::1'] : []
}

async function lookUp(lookup: Lookup, host: string): Promise<readonly string[]> {
  const addresses = await lookup(host).catch((error: unknown) => {
    throw unreachable(host, error)
  })
  if (addresses.length === 0) throw unreachable(host)
  return addresses
}
