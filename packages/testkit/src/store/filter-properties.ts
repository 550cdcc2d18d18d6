import * as fc from 'fast-check'
import { expect } from 'vitest'
import { anEntity } from '../entity.ts'
import { aQuery, idsOf, walk, type StoreTest } from './fixture.ts'
import { oracleMatches, oracleSorted } from './oracle.ts'
import { members } from './random-heads.ts'
import { filter, sort } from './random-queries.ts'

/** The same cases on every run, so that a failure means that the code changed. */
const SEED = 20_250_615
const RUNS = 40
const FILTERS_A_RUN = 6

/** Random entities and random filters, compared with the oracle. */
export function filterProperties(test: StoreTest): void {
  test('finds, counts and orders the same as by brute force', async ({ store }) => {
    let run = 0
    const cases = fc.tuple(entities, fc.array(query, { minLength: FILTERS_A_RUN, maxLength: FILTERS_A_RUN }))
    const property = fc.asyncProperty(cases, async ([drawn, queries]) => {
      run += 1
      const branch = { repositoryId: `REPO_${run}`, packageId: null }
      const written = drawn.map((entity) => ({ ...entity, ...branch }))
      await store.transaction(async (tx) => {
        for (const entity of written) await tx.entities.put(entity, 0)
      })
      for (const { filter, sort } of queries) {
        const expected = idsOf(
          oracleSorted(
            written.filter((entity) => oracleMatches(entity, filter)),
            sort,
          ),
        )
        const page = await store.entities.list(branch, aQuery({ filter, sort, archived: true }))
        expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: expected, count: expected.length })
        const walked = await walk(store, { branch, filter, sort, archived: true, limit: 3, count: false })
        expect(idsOf(walked)).toEqual(expected)
      }
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS })
  })
}

const entity = fc
  .record({
    id: fc.integer({ min: 1, max: 99 }).map((number) => `CONT_${number}`),
    version: fc.constantFrom(1, 2, 10),
    drawn: members,
  })
  .map(({ drawn, ...overrides }) => anEntity({ ...drawn, ...overrides }))

const entities = fc.uniqueArray(entity, { minLength: 1, maxLength: 14, selector: ({ id }) => id })

const query = fc.record({ filter, sort })
