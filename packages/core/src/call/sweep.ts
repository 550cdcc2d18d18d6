import type { Environment } from './environment.ts'

// Of one transaction, so that no write waits long.
const atOnce = 1000

/** Removes what has expired: counts, sessions, tickets, kept answers. What is expired is gone for every read; this gets its room back. Answers how many. */
export async function sweepEphemera({ store, clock }: Pick<Environment, 'store' | 'clock'>): Promise<number> {
  let count = 0
  let removed = atOnce
  while (removed === atOnce) {
    removed = await store.transaction((tx) => tx.ephemera.sweep(clock.now(), atOnce))
    count += removed
  }
  return count
}
