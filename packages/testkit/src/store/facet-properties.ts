import { categoriesPath, type FacetQuery, type QueryField, type Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { StoreTest } from './fixture.ts'
import type { BranchModel } from './branch-model.ts'
import { matching } from './matching-heads.ts'
import { compareValues, oracleValues } from './oracle.ts'
import { onRandomBranches } from './random-branches.ts'
import { filter, reader, textQuery } from './random-queries.ts'

/** Random branches and random facets, compared with a brute-force count. */
export function facetProperties(test: StoreTest): void {
  describe('of random branches', () => {
    test('facets count the same as by brute force', async ({ store }) => {
      const drawn = fc.array(question, { minLength: 6, maxLength: 6 })
      await onRandomBranches(store, drawn, async (model, questions) => {
        for (const asked of questions) await expectCounts(store, model, asked)
      })
    })
  })
}

async function expectCounts(
  store: Store,
  model: BranchModel,
  { inPackage, ...query }: FacetQuery & { inPackage: boolean },
): Promise<void> {
  const branch = inPackage ? model.package : model.main
  const heads = matching(model, branch, query)
  const expected = query.fields.map((field) => {
    const values = heads.flatMap((write) => [...new Set(oracleValues(write, field))])
    return [...new Set(values)]
      .map((value) => ({ value, count: values.filter((other) => other === value).length }))
      .toSorted((a, b) => b.count - a.count || compareValues(a.value, b.value))
      .slice(0, query.limit)
  })
  expect(await store.entities.facets(branch, query)).toEqual(expected)
}

const fields = fc.subarray<QueryField>(
  [
    { member: 'type' },
    { member: 'status' },
    { member: 'parentId' },
    { path: 'text', list: false },
    { path: 'number', list: false },
    { path: 'flag', list: false },
    { path: 'mixed', list: false },
    { path: 'words', list: true },
    { path: 'sizes', list: true },
    { path: categoriesPath, list: true },
  ],
  { minLength: 1 },
)

const question = fc
  .record({
    kind: fc.constant('item' as const),
    inPackage: fc.boolean(),
    archived: fc.boolean(),
    reader,
    fields,
    limit: fc.constantFrom(1, 3, 1000),
    filter: fc.option(filter),
    text: fc.option(textQuery),
  })
  .map(({ filter: by, text, ...query }) => ({ ...query, ...(by && { filter: by }), ...(text && { text }) }))
