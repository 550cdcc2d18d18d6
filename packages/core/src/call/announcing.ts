import type { Peers, Store } from '../ports/index.ts'
import type { Changes } from './changes.ts'

/** What processes tell each other when something was committed. */
const topic = 'committed'

/** Ms in which commits are gathered before others are told of them. At half, they are told twice as often while many write; at twice, they see it that much later. */
const gatheredMs = 50

/** The store, which says after each transaction that something was committed: at once to who waits here, soon to other processes. */
export function announcing(store: Store, changes: Pick<Changes, 'changed'>, peers?: Peers): Store {
  const tell = peers ? gathering(() => peers.tell(topic, '')) : () => undefined
  return {
    ...store,
    async transaction(work, options) {
      const result = await store.transaction(work, options)
      changes.changed()
      tell()
      return result
    },
  }
}

/** Says here what other processes committed, until what it answers is called. */
export function hearingOthers(changes: Pick<Changes, 'changed'>, peers: Peers): () => void {
  return peers.hear(topic, () => changes.changed())
}

/** Runs what is asked for again and again once for all that asked lately. */
function gathering(run: () => void): () => void {
  let isWaiting = false
  return () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      run()
    }, gatheredMs)
  }
}
