import { createQuire, type Quire, type QuireOptions } from '@quire/core'
import type { Store } from '@quire/core/ports'
import { fixedClock, seededIds, type FixedClock } from '@quire/testkit'

/** An engine with a fixed clock and seeded ids, so that every place gives the same answers; files are in memory unless told. */
export function engineOn(
  store: Store,
  options: Pick<QuireOptions, 'baseUrl' | 'blobs' | 'media'> = {},
): { quire: Quire; store: Store; clock: FixedClock } {
  const clock = fixedClock()
  const baseUrl = 'http://quire.test'
  return { store, clock, quire: createQuire({ store, clock, baseUrl, ids: seededIds(1, clock), ...options }) }
}
