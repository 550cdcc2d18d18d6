import { createQuire } from '@quire/core'
import { fixedClock, seededIds } from '@quire/core/memory'
import type { Store } from '@quire/core/ports'
import { fakeTargets } from './connections/targets.ts'
import type { ApiHost } from './host.ts'

/** An engine of this process on a store, with a fixed clock and seeded ids. */
export async function inProcess(store: Store): Promise<ApiHost> {
  const clock = fixedClock()
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
}
