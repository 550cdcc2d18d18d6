import type { Peers } from '@quire/core/ports'

/** The processes to share counts with, and the topic to share them on. */
export interface SharedRate {
  readonly peers: Peers
  readonly topic: string
}

/** Sends counts to the other processes. */
export interface SharedCounts {
  /** Counts a request of a caller who has used this share of a burst (0 to 1). */
  count(caller: string, used: number): void
  close(): void
}

/**
 * Milliseconds for which requests are collected before they are sent to other processes. At twice,
 * twice as many excess requests are admitted.
 */
const gatheredMs = 250

/**
 * A caller is not reported while it used less than this share of a burst, and of the rate:
 * together, eight processes then admit at most one burst.
 */
const countsShared = 1 / 8

/** Callers per message. Each is an id or an address of at most about a hundred bytes. */
const callersShared = 40

type Counts = readonly (readonly [caller: string, requests: number])[]

/**
 * Sends the counts of callers to the other processes a few times a second, and calls `add` with the
 * counts that they send.
 */
export function shareCounts(
  { peers, topic }: SharedRate,
  perSecond: number,
  add: (caller: string, requests: number) => void,
): SharedCounts {
  const requestsShared = (countsShared * perSecond * gatheredMs) / 1000
  let counted = new Map<string, { requests: number; used: number }>()
  let reporting: NodeJS.Timeout | undefined
  const unsubscribe = peers.subscribe(topic, (text) => {
    const counts: Counts = JSON.parse(text)
    for (const [caller, requests] of counts) add(caller, requests)
  })
  const notify = () => {
    reporting = undefined
    const counts = [...counted].filter(
      ([, { requests, used }]) => used >= countsShared || requests >= requestsShared,
    )
    counted = new Map()
    for (let first = 0; first < counts.length; first += callersShared) {
      const some = counts
        .slice(first, first + callersShared)
        .map(([caller, { requests }]) => [caller, requests])
      peers.notify(topic, JSON.stringify(some))
    }
  }
  return {
    count(caller, used) {
      counted.set(caller, { requests: (counted.get(caller)?.requests ?? 0) + 1, used })
      reporting ??= setTimeout(notify, gatheredMs).unref()
    },
    close() {
      clearTimeout(reporting)
      unsubscribe()
    },
  }
}
