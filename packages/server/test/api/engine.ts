import { createQuire, type Quire } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { fixedClock, seededIds, type FixedClock } from '@quire/testkit'

/** An engine with a fixed clock and seeded ids, so that every place gives the same answers. */
export function engineOn(
  store: Store,
  baseUrl = 'http://quire.test',
): { quire: Quire; store: Store; clock: FixedClock } {
  const clock = fixedClock()
  return { store, clock, quire: createQuire({ store, clock, baseUrl, ids: seededIds(1, clock) }) }
}
