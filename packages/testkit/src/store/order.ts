import type { QueryValue, SortKey, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed } from '../entity.ts'
import { find, main, aQuery, walk, write, type StoreTest } from './fixture.ts'
import { allMembers, oracleSorted } from './oracle.ts'
import { entitiesWith, mixedEntities, numbersInOrder, textsInOrder } from './specimens.ts'

const byField = (descending: boolean): SortKey => ({ field: { path: 'field', list: false }, descending })

export function orderLaws(test: StoreTest): void {
  describe('order', () => {
    test('is by id by default', async ({ store }) => {
      await write(store, ...['c', 'B', 'a', '😀', '\u{FFFD}'].map((id) => anEntity({ id })))
      expect(await find(store, {})).toEqual(['B', 'a', 'c', '\u{FFFD}', '😀'])
    })

    test('of text is by code point', async ({ store }) => expectOrder(store, textsInOrder))

    test('of numbers is numeric, with negatives, fractions and the largest', async ({ store }) =>
      expectOrder(store, numbersInOrder))

    test('of booleans has false before true', async ({ store }) => expectOrder(store, [false, true]))

    test('has absent values first, whether null or missing, and last when descending', async ({ store }) => {
      const existing = anEntity({ id: 'b', values: indexed({ field: -5 }) })
      const empty = anEntity({ id: 'c', values: indexed({ field: null }) })
      const without = anEntity({ id: 'a', type: 'other', values: [] })
      await write(store, existing, empty, without)
      expect(await find(store, { sort: [byField(false)] })).toEqual(['a', 'c', 'b'])
      expect(await find(store, { sort: [byField(true)] })).toEqual(['b', 'a', 'c'])
    })

    test('does not affect the count', async ({ store }) => {
      await write(store, anEntity({ id: 'a', values: indexed({ field: 1 }) }), anEntity({ id: 'b' }))
      const page = await store.entities.list(main, aQuery({ sort: [byField(true)], limit: 1 }))
      expect(page.count).toBe(2)
    })

    test('of equal values is by id ascending, even when descending', async ({ store }) => {
      await write(store, ...['c', 'a', 'b'].map((id) => anEntity({ id, values: indexed({ field: 'x' }) })))
      expect(await find(store, { sort: [byField(true)] })).toEqual(['a', 'b', 'c'])
    })

    test('uses the second key when the first is equal, each in its own direction', async ({ store }) => {
      const rows = [
        ['a', 1, 'x'],
        ['b', 2, 'x'],
        ['c', 1, 'y'],
        ['d', null, 'y'],
        ['e', 2, 'y'],
      ] as const
      await write(
        store,
        ...rows.map(([id, first, second]) => anEntity({ id, values: indexed({ first, second }) })),
      )
      const sort = (first: boolean, second: boolean) => [
        { field: { path: 'second', list: false }, descending: second },
        { field: { path: 'first', list: false }, descending: first },
      ]
      expect(await find(store, { sort: sort(false, false) })).toEqual(['a', 'b', 'd', 'c', 'e'])
      expect(await find(store, { sort: sort(true, false) })).toEqual(['b', 'a', 'e', 'c', 'd'])
      expect(await find(store, { sort: sort(false, true) })).toEqual(['d', 'c', 'e', 'a', 'b'])
    })

    for (const member of allMembers) {
      test(`can be by ${member}, ascending and descending, page by page`, async ({ store }) => {
        await expectPages(store, (descending) => [{ field: { member }, descending }])
      })
    }

    for (const path of ['price', 'flag', 'nowhere']) {
      test(`can be by the custom value ${path}, page by page`, async ({ store }) => {
        await expectPages(store, (descending) => [{ field: { path, list: false }, descending }])
      })
    }

    test('can be by several keys of both kinds, page by page', async ({ store }) => {
      await expectPages(store, (descending) => [
        { field: { member: 'publishedDate' }, descending },
        { field: { path: 'price', list: false }, descending: !descending },
        { field: { member: 'name' }, descending },
      ])
    })
  })
}

async function expectOrder(store: Store, values: readonly QueryValue[]): Promise<void> {
  const entities = entitiesWith(values)
  await write(store, ...entities.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  const ids = entities.map(({ id }) => id)
  expect(await find(store, { sort: [byField(false)] })).toEqual(ids)
  expect(await find(store, { sort: [byField(true)] })).toEqual(ids.toReversed())
  const walked = await walk(store, { sort: [byField(false)], limit: 1 })
  expect(walked.map(({ id }) => id)).toEqual(ids)
}

/** Compares whole lists and pages of 7 with the oracle, in both directions. */
async function expectPages(store: Store, sortOf: (descending: boolean) => readonly SortKey[]): Promise<void> {
  const entities = mixedEntities(40)
  await store.transaction(async (tx) => {
    for (const entity of entities) await tx.entities.put(entity, 0)
  })
  for (const sort of [sortOf(false), sortOf(true)]) {
    const expected = oracleSorted(entities, sort).map(({ id }) => id)
    expect(await find(store, { sort, archived: true })).toEqual(expected)
    const walked = await walk(store, { sort, archived: true, limit: 7 })
    expect(walked.map(({ id }) => id)).toEqual(expected)
  }
}
