import type { Peers } from '../ports/index.ts'

/** Notifies waiters in this process of commits. */
export interface Changes {
  /** Reports a commit. Cost: grows with the number of waiters. */
  changed(): void
  /** How many commits were reported. */
  changes(): number
  /**
   * Resolves at the next commit, after `ms`, or when the signal is aborted, whichever comes first.
   * If `since`, an earlier value of `changes`, is out of date, it resolves at once, so that no
   * commit between a look and the wait is missed. Never fails.
   */
  nextChange(ms: number, signal?: AbortSignal, since?: number): Promise<void>
}

/** Creates a notifier without waiters. */
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

/** The topic on which processes notify each other of commits. */
const topic = 'committed'

/**
 * Ms during which commits are collected before other processes are notified. At half, they are
 * notified twice as often while many write; at twice, they see commits that much later.
 */
const gatheredMs = 50

/**
 * Returns a function that reports a commit: immediately in this process, shortly after to the
 * others.
 */
export function createAnnouncer(changes: Pick<Changes, 'changed'>, peers?: Peers): () => void {
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

/** Reports the commits of other processes in this one. Returns a function that stops it. */
export function subscribeToPeers(changes: Pick<Changes, 'changed'>, peers: Peers): () => void {
  return peers.subscribe(topic, () => changes.changed())
}
