import { openRelay, type Passage } from '../relay.ts'

/**
 * `open`: traffic passes. `closed`: new connections are rejected. `silent`: nothing passes, as when
 * a switch dies.
 */
type WayState = 'open' | 'closed' | 'silent'

/** A connection path to the database that can be cut. */
export interface Way {
  readonly url: string
  /**
   * `closed` breaks all connections. Connections that existed during `silent` stay silent for good,
   * and even their end is not reported; after `open`, only new connections work.
   */
  set(state: WayState): void
  close(): Promise<void>
}

export async function openWay(): Promise<Way> {
  let state: WayState = 'open'
  const dead = new WeakSet<Passage>()
  const isDead = (passage: Passage) => {
    if (state === 'silent') dead.add(passage)
    return dead.has(passage)
  }
  const relay = await openRelay({
    admits: () => state !== 'closed',
    reportsEnds: (passage) => !isDead(passage),
    forward: (passage, bytes) => void (isDead(passage) || passage.database.write(bytes)),
    back: (passage, bytes) => void (isDead(passage) || passage.client.write(bytes)),
  })
  return {
    url: relay.url,
    set(next) {
      if (next === 'open' && state === 'silent') relay.each((passage) => dead.add(passage))
      state = next
      if (state === 'closed') relay.breakOff()
    },
    close: () => relay.close(),
  }
}
