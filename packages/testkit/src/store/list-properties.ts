import type { EntityQuery, Store } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { idsOf, type StoreTest } from './fixture.ts'
import type { LineModel } from './line-model.ts'
import { matching } from './matching-heads.ts'
import { oracleSorted } from './oracle.ts'
import { onRandomLines } from './random-lines.ts'
import { filter, reader, sort, textQuery } from './random-queries.ts'

/** Random lines and random lists, compared with the oracle. */
export function listProperties(test: StoreTest): void {
  describe('of random lines', () => {
    test('a list finds, counts, orders and pages what a brute-force reading finds', async ({ store }) => {
      const drawn = fc.array(question, { minLength: 6, maxLength: 6 })
      await onRandomLines(store, drawn, async (model, questions) => {
        for (const asked of questions) await expectList(store, model, asked)
      })
    })
  })
}

async function expectList(
  store: Store,
  model: LineModel,
  { inPackage, ...query }: EntityQuery & { inPackage: boolean },
): Promise<void> {
  const line = inPackage ? model.package : model.main
  const heads = matching(model, line, query)
  const expected = idsOf(oracleSorted(heads, query.sort))
  const page = await store.entities.list(line, query)
  expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: expected, count: expected.length })
  const first = await store.entities.list(line, { ...query, limit: 1 })
  if (!first.next) return
  const rest = await store.entities.list(line, { ...query, after: first.next })
  expect([...idsOf(first), ...idsOf(rest)]).toEqual(expected)
  expect(idsOf(await store.entities.list(line, { ...query, offset: 1 }))).toEqual(idsOf(rest))
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
