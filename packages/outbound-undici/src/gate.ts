import { notPublic, OutboundFailure, outboundUrlProblem } from '@quire/core/ports'
import { isPublic, parseAddress } from './addresses.ts'
import type { Allowance } from './allowance.ts'
import { unreachable } from './failures.ts'
import type { Lookup } from './lookup.ts'
import { type Target, targetOf } from './target.ts'

/** Who decides what may be connected to. */
export interface Gate {
  /** What stands against the text of an address; null: nothing. */
  problemOf(url: string): string | null
  /**
   * The addresses that a target has, all of which may be connected to: connecting to these and no others is what makes the check hold.
   * Errors: OutboundFailure `refused` when one of them may not be, `unreachable` when there is none.
   */
  addressesOf(target: Target): Promise<readonly string[]>
}

/** A gate that lets through what is public or allowed. */
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

/** The addresses of a host that are known by its text alone: an address is its own, and localhost is this machine (RFC 6761 §6.3). */
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
