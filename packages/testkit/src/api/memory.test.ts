import { createQuire } from '@quire/core'
import { createMemoryStore, fixedClock, seededIds } from '@quire/core/memory'
import { apiSuite } from './suite.ts'
import { fakeTargets } from './connections/targets.ts'

apiSuite('in process, on memory', async () => {
  const clock = fixedClock()
  const store = createMemoryStore()
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
