import { QuireError } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import { type SharedRate, shareCounts } from './share-counts.ts'

/** Requests per second, and the most at once after a pause. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** The rates of accounts and of addresses without a token; null for no limit. */
export interface RateLimits {
  readonly authenticated: Rate | null
  readonly anonymous: Rate | null
}

/** No limits. */
export const noRateLimits: RateLimits = { authenticated: null, anonymous: null }

/**
 * The rates for a number of requests per second of one account. Bursts are twice that. Callers
 * without a token get a fifth of both. 0 means no limit.
 */
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

// A burst is available again slightly early rather than never.
const roundingMs = 0.001

// Milliseconds by which requests that other servers admitted may exceed a burst. A caller of many
// servers at once waits at most this much longer.
const mostDebtMs = 1_000

// Callers to remember, with 50 bytes each, allocated on start. A forgotten caller starts with a
// full burst.
const mostCallers = 10_000

/** A counter of requests by caller. */
export interface Rates {
  /** Counts a request, or returns the error to refuse it with. */
  admit(caller: string): QuireError | undefined
  /** Stops sharing counts with other processes. */
  close(): void
}

/**
 * Counts requests by caller. Each caller is one number: the time at which its burst is fully
 * available again (generic cell rate algorithm, ITU-T I.371). A caller above the rate gets
 * `too_many_requests` with the seconds until the next request is admitted. Refused requests do not
 * count. With `shared`, requests that other processes admit count as well, within a quarter of a
 * second.
 */
export function createRate(rate: Rate | null, shared?: SharedRate): Rates {
  if (!rate) return { admit: () => undefined, close: () => undefined }
  const stepMs = 1000 / rate.perSecond
  const burstMs = rate.burst * stepMs
  const wholeAt = new LRUCache<string, number>({ max: mostCallers })
  // Relative to now, not as a point in time: small differences would be lost in large numbers.
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
