import type { EntityQuery, Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { idsOf, type StoreTest } from './fixture.ts'
import type { BranchModel } from './branch-model.ts'
import { matching } from './matching-heads.ts'
import { oracleSorted } from './oracle.ts'
import { onRandomBranches } from './random-branches.ts'
import { filter, reader, sort, textQuery } from './random-queries.ts'

/** Random branches and random lists, compared with the oracle. */
export function listProperties(test: StoreTest): void {
  describe('of random branches', () => {
    test('a list finds, counts, orders and pages the same as by brute force', async ({ store }) => {
      const drawn = fc.array(question, { minLength: 6, maxLength: 6 })
      await onRandomBranches(store, drawn, async (model, questions) => {
        for (const asked of questions) await expectList(store, model, asked)
      })
    })
  })
}

async function expectList(
  store: Store,
  model: BranchModel,
  { inPackage, ...query }: EntityQuery & { inPackage: boolean },
): Promise<void> {
  const branch = inPackage ? model.package : model.main
  const heads = matching(model, branch, query)
  const expected = idsOf(oracleSorted(heads, query.sort))
  const page = await store.entities.list(branch, query)
  expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: expected, count: expected.length })
  const first = await store.entities.list(branch, { ...query, limit: 1 })
  if (!first.next) return
  const rest = await store.entities.list(branch, { ...query, after: first.next })
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(expected)
  expect(idsOf(await store.entities.list(branch, { ...query, offset: 1 }))).toEqual(idsOf(rest))
}

const question = fc
  .record({
    kind: fc.constant('item' as const),
    inPackage: fc.boolean(),
    archived: fc.boolean(),
    reader,
    sort,
    limit: fc.constant(1000),
    count: fc.constant(true),
    filter: fc.option(filter),
    text: fc.option(textQuery, { freq: 2 }),
  })
  .map(({ filter: by, text, ...query }) => ({ ...query, ...(by && { filter: by }), ...(text && { text }) }))
