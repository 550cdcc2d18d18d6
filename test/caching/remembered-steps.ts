import { setImmediate as nextLoop } from 'node:timers/promises'
import { createQuire, type Quire } from '@quire/core'
import type { Store } from '@quire/core/ports'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answersTo, refusalOf, withCallers } from './callers.ts'
import { aChange } from './changes.ts'
import { aRiskyChange, type RiskyChange } from './risky-changes.ts'
import { openWorld, type CachingWorld } from './world.ts'

/** A store, and a view of it that caches nothing. */
export interface TestedStore {
  readonly name: string
  readonly numRuns: number
  readonly open: () => Promise<Store>
  readonly withoutCaches: (store: Store) => Store
}

// Fixed, so that a failure is due to the change under test.
const seed = 20_261_126

/** A change, and how many rounds of the event loop it begins after the reads beside it. */
interface Step {
  readonly change: RiskyChange
  readonly delay: number
}

const aStep: fc.Arbitrary<Step> = fc.record({
  change: fc.oneof(aChange, aRiskyChange),
  delay: fc.nat(3),
})

interface Counts {
  compared: number
  refused: number
}

/** Compares reads with those of a service that remembers nothing, after random changes and during them. */
export function rememberedReads({ name, numRuns, open, withoutCaches }: TestedStore): void {
  describe(`reads that are remembered on ${name}`, () => {
    it(
      'are what a service that remembers nothing answers, to each caller',
      { timeout: 120_000 },
      async () => {
        const counts = { compared: 0, refused: 0 }
        await fc.assert(
          fc.asyncProperty(fc.array(aStep, { minLength: 5, maxLength: 12 }), async (steps) => {
            const store = await open()
            const world = await openWorld(slowToAnswer(store))
            try {
              await follow({ world, forgetful: createQuire({ store: withoutCaches(store) }) }, steps, counts)
            } finally {
              await world.quire.close()
            }
          }),
          { seed, numRuns },
        )
        expect(counts.refused).toBeGreaterThan(numRuns)
        expect(counts.compared).toBeGreaterThan(counts.refused * 2)
      },
    )
  })
}

interface Followed {
  readonly world: CachingWorld
  /** An engine that remembers nothing. */
  readonly forgetful: Quire
}

async function follow(
  { world: given, forgetful }: Followed,
  steps: readonly Step[],
  counts: Counts,
): Promise<void> {
  const world = await withCallers(given)
  const { callers, quire } = world
  for (const { change, delay } of steps) {
    // Some of these are answered while the change is written.
    const beside = Promise.all(callers.map((caller) => answersTo(world, quire, caller)))
    for (let round = 0; round < delay; round += 1) await nextLoop()
    await change.make(world).catch(refusalOf)
    await beside
    for (const caller of callers) {
      const expected = await answersTo(world, forgetful, caller)
      const about = `${caller.name} after: ${change.name}`
      expect(await answersTo(world, quire, caller), about).toEqual(expected)
      expect(await answersTo(world, quire, caller), `${about}, again`).toEqual(expected)
      counts.compared += expected.length
      counts.refused += expected.filter((text) => text.startsWith('refused ')).length
    }
  }
}

/** The same store, whose reads arrive a round of the event loop later, as from another thread. */
function slowToAnswer(store: Store): Store {
  const { entities } = store
  const later = async <T>(read: Promise<T>): Promise<T> => {
    const value = await read
    await nextLoop()
    return value
  }
  return {
    ...store,
    entities: {
      ...entities,
      list: (...given) => later(entities.list(...given)),
      getMany: (...given) => later(entities.getMany(...given)),
      getBySlug: (...given) => later(entities.getBySlug(...given)),
    },
  }
}

/** The same store, from which no answers are remembered. */
export function withoutCommits({ commits: _commits, ...store }: Store): Store {
  return store
}
