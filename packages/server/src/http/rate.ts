import { QuireError } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import { type SharedRate, shareCounts } from './share-counts.ts'

/** How many requests a second, and how many at once after a pause. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** The rates of accounts and of addresses without a token; null: none. */
export interface RateLimits {
  readonly authenticated: Rate | null
  readonly anonymous: Rate | null
}

/** As many as come. */
export const noRateLimits: RateLimits = { authenticated: null, anonymous: null }

/** The rates for so many requests a second of one account: twice as many at once, and a fifth of both without a token. 0: none. */
export function ratesOf(perSecond: number): RateLimits {
  if (perSecond === 0) return noRateLimits
  const rate = (share: number) => ({
    perSecond: perSecond * share,
    burst: Math.max(1, 2 * perSecond * share),
  })
  return { authenticated: rate(1), anonymous: rate(1 / 5) }
}

/** TRUST 4.2. */
export const defaultRateLimits: RateLimits = ratesOf(100)

// A burst is whole again a little early rather than never.
const roundingMs = 0.001

// By how much what others let in meanwhile may exceed a burst: who came to many servers at once waits no longer than this for it.
const mostDebtMs = 1_000

// Callers that are remembered: 50 bytes each, taken at the start. Who was forgotten begins with a full burst.
const mostCallers = 10_000

/** Who an address is for counting: of IPv6 its network, as everybody there has as many addresses as they want (RFC 6177). */
export function networkOf(address: string | undefined): string {
  // A connection that is closed by now has none.
  if (address === undefined) return 'none'
  if (!address.includes(':') || address.includes('.')) return address
  const [first = [], last = []] = address.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = address.includes('::') ? 8 - first.length - last.length : 0
  return [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4).join(':')
}

/** What counts requests. */
export interface Rates {
  /** Counts a request, or answers why it is refused. */
  admit(caller: string): QuireError | undefined
  /** Stops sharing. */
  close(): void
}

/**
 * Counts requests by caller, each in one number: the time at which its burst is whole again (generic cell rate algorithm, ITU-T I.371).
 * Answers `too_many_requests` with the seconds until the next is let in, for whoever comes too often. What is refused does not count.
 * Shared, it counts what other processes let in as well, within a quarter of a second.
 */
export function createRate(rate: Rate | null, shared?: SharedRate): Rates {
  if (!rate) return { admit: () => undefined, close: () => undefined }
  const stepMs = 1000 / rate.perSecond
  const burstMs = rate.burst * stepMs
  const wholeAt = new LRUCache<string, number>({ max: mostCallers })
  // Ahead of now, not as a point of time: large numbers would lose what is small.
  const aheadOf = (caller: string, now: number) => Math.max((wholeAt.get(caller) ?? 0) - now, 0)
  const sharing =
    shared &&
    shareCounts(shared, rate.perSecond, (caller, requests) => {
      const now = performance.now()
      const ahead = aheadOf(caller, now) + requests * stepMs
      wholeAt.set(caller, now + Math.min(ahead, burstMs + mostDebtMs))
    })
  return {
    close: () => sharing?.close(),
    admit(caller) {
      const now = performance.now()
      const ahead = aheadOf(caller, now) + stepMs
      if (ahead > burstMs + roundingMs) {
        const retryAfter = Math.max(1, Math.ceil((ahead - burstMs) / 1000))
        return new QuireError('too_many_requests', undefined, { details: { retryAfter } })
      }
      wholeAt.set(caller, now + ahead)
      sharing?.count(caller, ahead / burstMs)
      return undefined
    },
  }
}
