import type { Store } from '../ports/index.ts'
import type { Changes } from './changes.ts'

/** The store, which says after each transaction that something was committed. */
export function announcing(store: Store, changes: Pick<Changes, 'changed'>): Store {
  return {
    ...store,
    async transaction(work, options) {
      const result = await store.transaction(work, options)
      changes.changed()
      return result
    },
  }
}
