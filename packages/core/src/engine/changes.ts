import type { Peers } from '../ports/index.ts'

/** Tells who waits in this process that something was committed. */
export interface Changes {
  /** Says that something was committed. Cost: grows with those who wait. */
  changed(): void
  /** How often that was said. */
  changes(): number
  /**
   * Resolves when it is said the next time, after `ms`, or when the signal is aborted, whichever comes first. Given what `changes` was, it
   * resolves at once where it was said since: nothing is missed between a look and the wait. Never fails.
   */
  nextChange(ms: number, signal?: AbortSignal, since?: number): Promise<void>
}

/** Nobody waits yet. */
export function createChanges(): Changes {
  const waiting = new Set<() => void>()
  let count = 0
  return {
    changed() {
      count += 1
      for (const go of waiting) go()
    },
    changes: () => count,
    nextChange(ms, signal, since = count) {
      if (since !== count || signal?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        const go = () => {
          clearTimeout(timer)
          waiting.delete(go)
          signal?.removeEventListener('abort', go)
          resolve()
        }
        const timer = setTimeout(go, ms)
        waiting.add(go)
        signal?.addEventListener('abort', go)
      })
    },
  }
}

/** What processes tell each other when something was committed. */
const topic = 'committed'

/** Ms in which commits are gathered before others are told of them. At half, they are told twice as often while many write; at twice, they see it that much later. */
const gatheredMs = 50

/** Says that something was committed: at once to whoever waits here, soon to other processes. */
export function announcing(changes: Pick<Changes, 'changed'>, peers?: Peers): () => void {
  if (!peers) return () => changes.changed()
  let isWaiting = false
  return () => {
    changes.changed()
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      peers.notify(topic, '')
    }, gatheredMs)
  }
}

/** Says here what other processes committed, until what it answers is called. */
export function hearingOthers(changes: Pick<Changes, 'changed'>, peers: Peers): () => void {
  return peers.subscribe(topic, () => changes.changed())
}
