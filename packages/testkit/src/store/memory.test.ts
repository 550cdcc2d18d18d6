import { createMemoryStore } from '@quire/core/memory'
import { storeSuite } from './suite.ts'

storeSuite('in memory', async () => {
  const store = createMemoryStore()
  return { store, dispose: () => store.close() }
})
