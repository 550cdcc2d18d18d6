import type { Store } from '@quire/core/ports'
import { createMemoryStore } from '@quire/core/memory'
import { inProcess } from './in-process.ts'
import { apiSuite } from './suite.ts'

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

apiSuite('in process, with every transaction run twice', () => inProcess(repeating(createMemoryStore())))
