import { openRelay, type Passage } from '../relay.ts'

/** How the way to the database is: open; closed, so that whoever comes is turned away; or silent, as when a switch dies. */
type WayState = 'open' | 'closed' | 'silent'

/** A way to the database that may be cut. */
export interface Way {
  readonly url: string
  /**
   * Closing it breaks off every connection that goes over it. Of one that was there in silence nothing comes through any more, not even its end:
   * only new ones are open again.
   */
  set(state: WayState): void
  close(): Promise<void>
}

/** Opens one. */
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
