import { setTimeout as wait } from 'node:timers/promises'
import type { Store } from '@quire/core/ports'

// Milliseconds between the acknowledgement and the commit: far less than a disk can take.
const heldByDefault = 3

/** The arguments of `node` that serve a data folder with the mutant. */
export function serveMutantArgs(folder: string): string[] {
  return ['--conditions=quire-source', 'test/kill/mutant-server.ts', folder]
}

/**
 * A store that breaks the one promise that the driver checks: it acknowledges a transaction before
 * the commit. A driver that finds no loss with it proves nothing.
 */
export function acknowledgeEarly(store: Store, heldMs = heldByDefault): Store {
  return {
    ...store,
    transaction: (work) =>
      new Promise((resolve, reject) => {
        const committed = store.transaction(async (tx) => {
          const result = await work(tx)
          resolve(result)
          await wait(heldMs)
          return result
        })
        committed.catch(reject)
      }),
  }
}
