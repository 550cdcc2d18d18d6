import type { Condition, EntityWrite, Filter, QueryField, QueryValue, SortKey } from '@quire/core/ports'
import * as fc from 'fast-check'
import { expect } from 'vitest'
import { anEntity, indexed } from '../entity.ts'
import { aQuery, idsOf, walk, type StoreTest } from './fixture.ts'
import { oracleMatches, oracleSorted } from './oracle.ts'

/** The same cases on every run, so that a red run means a change of the code. */
const SEED = 20_250_615
const RUNS = 40
const FILTERS_A_RUN = 6

/** Random entities and random filters, compared with the oracle. */
export function filterProperties(test: StoreTest): void {
  test('finds, counts and orders what a brute-force reading of the laws finds', async ({ store }) => {
    let run = 0
    const cases = fc.tuple(entities, fc.array(query, { minLength: FILTERS_A_RUN, maxLength: FILTERS_A_RUN }))
    const property = fc.asyncProperty(cases, async ([drawn, queries]) => {
      run += 1
      const line = { repositoryId: `REPO_${run}`, packageId: null }
      const written = drawn.map((entity) => ({ ...entity, ...line }))
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
        const page = await store.entities.list(line, aQuery({ filter, sort, archived: true }))
        expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: expected, count: expected.length })
        const walked = await walk(store, { line, filter, sort, archived: true, limit: 3, count: false })
        expect(idsOf(walked)).toEqual(expected)
      }
    })
    await fc.assert(property, { seed: SEED, numRuns: RUNS })
  })
}

const text = fc.constantFrom(
  '',
  'a',
  'A',
  'ab',
  'Ab',
  'b',
  '%',
  '_',
  'a%b',
  'a\\',
  "'",
  'ä',
  'Ä',
  '\u{FFFD}',
  '😀',
  '1',
  '10',
)
const number = fc.constantFrom(-1e21, -2, -1.5, 0, 0.1, 0.30000000000000004, 1, 2, 10, 2 ** 53, 1e21)
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })

const values = fc.record({
  text: optional(text),
  number: optional(number),
  flag: optional(fc.boolean()),
  words: fc.array(text, { maxLength: 3 }),
  sizes: fc.array(number, { maxLength: 3 }),
})

const entity: fc.Arbitrary<EntityWrite> = fc
  .record({
    id: fc.integer({ min: 1, max: 99 }).map((number) => `CONT_${number}`),
    type: fc.constantFrom('article', 'page'),
    name: text,
    parentId: optional(fc.constantFrom('FOLD_1', 'FOLD_2')),
    version: fc.constantFrom(1, 2, 10),
    archived: fc.boolean(),
    publishedVersion: optional(fc.constantFrom(1, 2)),
    publishedDate: optional(fc.constantFrom(1, 2, 2 ** 41)),
    values: fc
      .tuple(values, fc.boolean())
      .map(([drawn, rows]) => indexed(rows ? drawn : { words: drawn.words })),
  })
  .map((members) => anEntity(members))

const entities = fc.uniqueArray(entity, { minLength: 1, maxLength: 14, selector: ({ id }) => id })

const textField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'text', list: false },
  { path: 'words', list: true },
  { member: 'name' },
  { member: 'type' },
  { member: 'status' },
  { member: 'parentId' },
  { member: 'slug' },
)
const numberField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'number', list: false },
  { path: 'sizes', list: true },
  { member: 'version' },
  { member: 'publishedDate' },
)
const flagField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'flag', list: false },
  { member: 'archived' },
  { member: 'published' },
)

const statusOrText = fc.oneof(text, fc.constantFrom('draft', 'published', 'article', 'FOLD_1'))

const condition: fc.Arbitrary<Condition> = fc.oneof(
  comparing(textField, statusOrText),
  comparing(numberField, number),
  ofSet(textField, statusOrText),
  ofSet(numberField, number),
  ofSet(flagField, fc.boolean()),
  fc.record({ field: flagField, op: fc.constantFrom('eq', 'ne'), value: fc.boolean() }),
  fc.record({ field: textField, op: fc.constantFrom('contains', 'startsWith'), value: text }),
  fc.record({
    field: fc.oneof(textField, numberField, flagField),
    op: fc.constant('exists' as const),
    value: fc.boolean(),
  }),
)

function comparing(
  field: fc.Arbitrary<QueryField>,
  value: fc.Arbitrary<QueryValue>,
): fc.Arbitrary<Condition> {
  return fc.record({ field, op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte'), value })
}

function ofSet(field: fc.Arbitrary<QueryField>, value: fc.Arbitrary<QueryValue>): fc.Arbitrary<Condition> {
  return fc.record({ field, op: fc.constantFrom('in', 'nin'), value: fc.array(value, { maxLength: 3 }) })
}

const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}))

const sortKey: fc.Arbitrary<SortKey> = fc.record({
  field: fc.oneof(textField, numberField, flagField).filter((field) => !('list' in field && field.list)),
  descending: fc.boolean(),
})

const query = fc.record({ filter, sort: fc.array(sortKey, { maxLength: 3 }) })
