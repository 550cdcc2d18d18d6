import type { Branch, Reader, Store, TextQuery } from '@quire/core/ports'
import * as fc from 'fast-check'
import { describe, expect } from 'vitest'
import { idsOf, type StoreTest } from './fixture.ts'
import { visible, type BranchModel } from './branch-model.ts'
import { files } from './random-heads.ts'
import { onRandomBranches } from './random-branches.ts'
import { reader, textQuery } from './random-queries.ts'
import { oracleSees } from './oracle.ts'
import { oracleTier, wordsWithin } from './search-oracle.ts'
import { searchPage, walkSearch } from './searching.ts'

/** Random branches and random searches, compared with the oracle. */
export function searchProperties(test: StoreTest): void {
  describe('of random branches', () => {
    test('a search and a list find, count and order the same as by brute force', async ({ store }) => {
      const cases = fc.array(question, { minLength: 8, maxLength: 8 })
      await onRandomBranches(store, cases, async (model, questions) => {
        for (const asked of questions) await expectAnswers(store, model, asked)
      })
    })

    test('every entity is found by each of its words', async ({ store }) => {
      await onRandomBranches(store, fc.constant(null), async (model) => {
        for (const branch of [model.main, model.package]) await expectFoundByWords(store, model, branch)
      })
    })
  })
}

interface Question {
  readonly text: TextQuery
  readonly inPackage: boolean
  readonly archived: boolean
  readonly reader: Reader
}

async function expectAnswers(
  store: Store,
  model: BranchModel,
  { inPackage, ...query }: Question,
): Promise<void> {
  const branch = inPackage ? model.package : model.main
  const found = visible(model, branch)
    .filter(({ write }) => oracleSees(write, query))
    .flatMap(({ write, row }) => {
      const tier = write.search && oracleTier(write.search, files, query.text)
      return tier === null ? [] : [{ id: write.id, tier, row }]
    })
  const best = idsOf(found.toSorted((a, b) => a.tier - b.tier || b.row - a.row))
  const page = await searchPage(store, { branch, ...query })
  expect({ ids: idsOf(page), count: page.count }).toEqual({ ids: best, count: best.length })
  expect(idsOf(await walkSearch(store, { branch, ...query, limit: 2 }))).toEqual(best)
  const list = await store.entities.list(branch, {
    ...query,
    kind: 'item',
    sort: [{ field: { member: 'id' }, descending: true }],
    limit: 1000,
    count: true,
  })
  const byId = best.toSorted().toReversed()
  expect({ ids: idsOf(list), count: list.count }).toEqual({ ids: byId, count: byId.length })
}

async function expectFoundByWords(store: Store, model: BranchModel, branch: Branch): Promise<void> {
  const holders = new Map<string, string[]>()
  for (const { write } of visible(model, branch)) {
    if (!write.search) continue
    for (const word of wordsWithin(write.search, files))
      holders.set(word, [...(holders.get(word) ?? []), write.id])
  }
  for (const [word, ids] of holders) {
    const text = { terms: [{ words: [word], prefix: false, categories: [] }], locales: ['de', 'en'] }
    const found = idsOf(await searchPage(store, { branch, text, archived: true }))
    expect(found.toSorted(), word).toEqual(ids.toSorted())
  }
}

const question: fc.Arbitrary<Question> = fc.record({
  text: textQuery,
  inPackage: fc.boolean(),
  archived: fc.boolean(),
  reader,
})
