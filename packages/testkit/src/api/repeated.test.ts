import type { Store } from '@quire/core/ports'
import { createQuire } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import { apiSuite } from './suite.ts'
import { fakeTargets } from './connections/targets.ts'

/** Thrown to roll back the first run. */
const undo = new Error('the first run is rolled back')

/**
 * Runs every transaction twice, as a store does after a conflict: the first run is rolled back. So
 * the suite fails if anything outside of the transaction keeps something of that run.
 */
function repeating(store: Store): Store {
  return {
    ...store,
    async transaction(work, options) {
      const first = store.transaction(async (tx) => {
        await work(tx)
        throw undo
      }, options)
      // An error of the work itself is thrown again by the second run.
      await first.catch(() => undefined)
      return store.transaction(work, options)
    },
  }
}

apiSuite('in process, with every transaction run twice', async () => {
  const clock = fixedClock()
  const store = repeating(createMemoryStore())
  const outbound = fakeTargets()
  const quire = createQuire({ store, clock, outbound, ids: seededIds(1, clock) })
  return {
    quire,
    store,
    clock,
    outbound,
    connect: (caller) => quire.as(caller),
    close: () => quire.close(),
  }
})
