import type { Peers } from '@quire/core/ports'

/** What is counted together with other processes, and under which name. */
export interface SharedRate {
  readonly peers: Peers
  readonly topic: string
}

/** What counts for other processes. */
export interface SharedCounts {
  /** Counts a request of a caller, who has used up so much of a burst (0 to 1). */
  count(caller: string, used: number): void
  close(): void
}

/** How long requests are gathered before others are told, in ms. At twice, a caller gets twice as much too much in. */
const gatheredMs = 250

/** Of who used less than this of a burst, and took less than this of a rate, nobody is told: eight processes let in one of it together. */
const countsShared = 1 / 8

/** Callers of whom one message tells: each is an id or an address, of some hundred bytes at most. */
const callersShared = 40

type Counts = readonly (readonly [caller: string, requests: number])[]

/** Tells the other processes which callers took how much, a few times a second, and `add` what those tell. */
export function shareCounts(
  { peers, topic }: SharedRate,
  perSecond: number,
  add: (caller: string, requests: number) => void,
): SharedCounts {
  const requestsShared = (countsShared * perSecond * gatheredMs) / 1000
  let accepted = new Map<string, { requests: number; used: number }>()
  let reporting: NodeJS.Timeout | undefined
  const hush = peers.subscribe(topic, (text) => {
    const counts: Counts = JSON.parse(text)
    for (const [caller, requests] of counts) add(caller, requests)
  })
  const notify = () => {
    reporting = undefined
    const counts = [...accepted].filter(
      ([, { requests, used }]) => used >= countsShared || requests >= requestsShared,
    )
    accepted = new Map()
    for (let first = 0; first < counts.length; first += callersShared) {
      const some = counts
        .slice(first, first + callersShared)
        .map(([caller, { requests }]) => [caller, requests])
      peers.notify(topic, JSON.stringify(some))
    }
  }
  return {
    count(caller, used) {
      accepted.set(caller, { requests: (accepted.get(caller)?.requests ?? 0) + 1, used })
      reporting ??= setTimeout(notify, gatheredMs).unref()
    },
    close() {
      clearTimeout(reporting)
      hush()
    },
  }
}
