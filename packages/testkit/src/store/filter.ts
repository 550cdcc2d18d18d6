import type { Condition, Filter, QueryField, QueryValue, Store } from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed } from '../entity.ts'
import { aQuery, find, main, write, type StoreTest } from './fixture.ts'
import { filterProperties } from './filter-properties.ts'
import { oracleMatches } from './oracle.ts'
import { entitiesWith, mixedEntities, numbersInOrder, textsInOrder } from './specimens.ts'

const field: QueryField = { path: 'field', list: false }
const tags: QueryField = { path: 'tags', list: true }

export function filterLaws(test: StoreTest): void {
  describe('a filter', () => {
    for (const [kind, values] of Object.entries({ text: textsInOrder, numbers: numbersInOrder })) {
      test(`compares ${kind} by each of the six comparisons`, async ({ store }) => {
        const entities = entitiesWith(values)
        await write(store, ...entities)
        for (const [index, value] of values.entries())
          await expectComparisons(store, { entities, index, value })
      })
    }

    test('compares booleans', async ({ store }) => {
      await write(store, ...withValues({ yes: true, no: false, none: null }))
      expect(await find(store, { filter: { field, op: 'eq', value: true } })).toEqual(['yes'])
      expect(await find(store, { filter: { field, op: 'eq', value: false } })).toEqual(['no'])
      expect(await find(store, { filter: { field, op: 'ne', value: true } })).toEqual(['no', 'none'])
      expect(await find(store, { filter: { field, op: 'in', value: [true, false] } })).toEqual(['no', 'yes'])
    })

    test('does not confuse a number with the text of its digits', async ({ store }) => {
      await write(store, ...withValues({ number: 10, text: '10' }))
      expect(await find(store, { filter: { field, op: 'eq', value: 10 } })).toEqual(['number'])
      expect(await find(store, { filter: { field, op: 'eq', value: '10' } })).toEqual(['text'])
      expect(await find(store, { filter: { field, op: 'ne', value: 10 } })).toEqual(['text'])
      expect(await find(store, { filter: { field, op: 'in', value: [10] } })).toEqual(['number'])
      expect(await find(store, { filter: { field, op: 'gte', value: 1 } })).toEqual(['number'])
      expect(await find(store, { filter: { field, op: 'lte', value: 'z' } })).toEqual(['text'])
      expect(await find(store, { filter: { field, op: 'contains', value: '1' } })).toEqual(['text'])
    })

    test('treats null and a missing row as absent, and an empty text as present', async ({ store }) => {
      await write(store, ...withValues({ empty: '', none: null }), anEntity({ id: 'rowless' }))
      const absent = ['none', 'rowless']
      expect(await find(store, { filter: { field, op: 'exists', value: true } })).toEqual(['empty'])
      expect(await find(store, { filter: { field, op: 'exists', value: false } })).toEqual(absent)
      expect(await find(store, { filter: { field, op: 'ne', value: '' } })).toEqual(absent)
      expect(await find(store, { filter: { field, op: 'nin', value: [''] } })).toEqual(absent)
      for (const op of ['gt', 'gte', 'lt', 'lte'] as const)
        expect(await find(store, { filter: { field, op, value: 'x' } })).toEqual(
          op.startsWith('l') ? ['empty'] : [],
        )
    })

    test('recognizes absent members', async ({ store }) => {
      await write(store, anEntity({ id: 'a', parentId: 'FOLD_1', slug: 'a' }), anEntity({ id: 'b' }))
      for (const member of ['parentId', 'slug'] as const) {
        expect(await find(store, { filter: { field: { member }, op: 'exists', value: false } })).toEqual([
          'b',
        ])
        expect(await find(store, { filter: { field: { member }, op: 'ne', value: 'x' } })).toEqual(['a', 'b'])
        expect(await find(store, { filter: { field: { member }, op: 'lt', value: 'z' } })).toEqual(
          member === 'slug' ? ['a'] : ['a'],
        )
      }
      const published: QueryField = { member: 'publishedDate' }
      expect(await find(store, { filter: { field: published, op: 'lt', value: 1e15 } })).toEqual([])
    })

    test('finds values of a set; an empty `in` finds nothing, an empty `nin` everything', async ({
      store,
    }) => {
      await write(store, ...withValues({ a: 'x', b: 'y', c: null }))
      expect(await find(store, { filter: { field, op: 'in', value: ['y', 'x', 'y', 'q'] } })).toEqual([
        'a',
        'b',
      ])
      expect(await find(store, { filter: { field, op: 'nin', value: ['y'] } })).toEqual(['a', 'c'])
      expect(await find(store, { filter: { field, op: 'in', value: [] } })).toEqual([])
      expect(await find(store, { filter: { field, op: 'nin', value: [] } })).toEqual(['a', 'b', 'c'])
    })

    test('accepts a set of a thousand values', async ({ store }) => {
      await write(store, ...withValues({ a: 'v999', b: 'w' }))
      const value = Array.from({ length: 1000 }, (_, index) => `v${index}`)
      expect(await find(store, { filter: { field, op: 'in', value } })).toEqual(['a'])
      expect(await find(store, { filter: { field, op: 'nin', value } })).toEqual(['b'])
    })

    test('matches a list when any of its values does; negations when none does', async ({ store }) => {
      await write(store, anEntity({ id: 'both', values: indexed({ tags: ['red', 'blue'] }) }))
      await write(store, anEntity({ id: 'red', values: indexed({ tags: ['red'] }) }))
      await write(store, anEntity({ id: 'none', values: indexed({ tags: [] }) }))
      expect(await find(store, { filter: { field: tags, op: 'eq', value: 'red' } })).toEqual(['both', 'red'])
      expect(await find(store, { filter: { field: tags, op: 'ne', value: 'blue' } })).toEqual(['none', 'red'])
      expect(await find(store, { filter: { field: tags, op: 'nin', value: ['blue', 'x'] } })).toEqual([
        'none',
        'red',
      ])
      expect(await find(store, { filter: { field: tags, op: 'lt', value: 'c' } })).toEqual(['both'])
      expect(await find(store, { filter: { field: tags, op: 'startsWith', value: 'BL' } })).toEqual(['both'])
      expect(await find(store, { filter: { field: tags, op: 'exists', value: false } })).toEqual(['none'])
      const count = (
        await store.entities.list(main, aQuery({ filter: { field: tags, op: 'gte', value: 'a' } }))
      ).count
      expect(count).toBe(2)
    })

    test('lets different values of a list fulfil different conditions', async ({ store }) => {
      await write(store, anEntity({ id: 'both', values: indexed({ tags: ['a', 'z'] }) }))
      const filter: Filter = {
        all: [
          { field: tags, op: 'eq', value: 'a' },
          { field: tags, op: 'eq', value: 'z' },
        ],
      }
      expect(await find(store, { filter })).toEqual(['both'])
    })

    textLaws(test)

    test('nests all, any and not; an empty `all` finds everything, an empty `any` nothing', async ({
      store,
    }) => {
      await write(store, ...withValues({ a: 1, b: 2, c: 3, d: null }))
      const is = (value: QueryValue): Filter => ({ field, op: 'eq', value })
      expect(await find(store, { filter: { all: [] } })).toEqual(['a', 'b', 'c', 'd'])
      expect(await find(store, { filter: { any: [] } })).toEqual([])
      expect(await find(store, { filter: { not: { any: [] } } })).toEqual(['a', 'b', 'c', 'd'])
      expect(await find(store, { filter: { not: { all: [] } } })).toEqual([])
      expect(await find(store, { filter: { any: [is(1), is(3)] } })).toEqual(['a', 'c'])
      expect(await find(store, { filter: { not: { any: [is(1), is(3)] } } })).toEqual(['b', 'd'])
      const nested: Filter = { all: [{ not: is(1) }, { any: [is(1), is(2), { not: { not: is(3) } }] }] }
      expect(await find(store, { filter: nested })).toEqual(['b', 'c'])
      expect(await find(store, { filter: { not: { field, op: 'gt', value: 1 } } })).toEqual(['a', 'd'])
    })

    test('works on every member', async ({ store }) => {
      const entities = mixedEntities(40)
      await write(store, ...entities.map((entity) => ({ ...entity, revision: 1 })))
      for (const filter of memberFilters) {
        const expected = entities.filter((entity) => oracleMatches(entity, filter)).map(({ id }) => id)
        expect(expected.length % 40, JSON.stringify(filter)).not.toBe(0)
        expect(await find(store, { filter, archived: true }), JSON.stringify(filter)).toEqual(
          expected.toSorted(),
        )
      }
    })

    filterProperties(test)
  })
}

/** Texts that wildcards, escapes, full Unicode case folding or normalization would confuse. */
const lookalikes = [
  '50%',
  '505',
  'a_b',
  'axb',
  'a\\b',
  'a\\\\b',
  'A*b',
  '[ab]',
  "it's",
  'ÄRGER',
  'ärger',
  'STRASSE',
  'straße',
  'e\u0301',
  'é',
  'İ',
  'K',
]

function textLaws(test: StoreTest): void {
  test('takes every character of a text search literally, and ignores the case of ASCII letters only', async ({
    store,
  }) => {
    const entities = lookalikes.map((text) => anEntity({ id: text, values: indexed({ field: text }) }))
    await write(store, ...entities)
    const operands = [
      ...lookalikes,
      '%',
      '_',
      '\\',
      '*',
      '[',
      "'",
      'AX',
      'Ä',
      'ä',
      'S',
      's',
      'k',
      'i',
      'E',
      '0%',
      '',
    ]
    for (const op of ['contains', 'startsWith', 'eq'] as const) {
      for (const value of operands) {
        const filter: Filter = { field, op, value }
        const expected = entities.filter((entity) => oracleMatches(entity, filter)).map(({ id }) => id)
        const found = await find(store, { filter })
        expect(found.toSorted(), `${op} ${value}`).toEqual(expected.toSorted())
      }
    }
  })

  test('searches text in members too', async ({ store }) => {
    await write(
      store,
      anEntity({ id: 'a', name: 'Summer SALE 50%', slug: 'sale' }),
      anEntity({ id: 'b', name: 'x' }),
    )
    const name: QueryField = { member: 'name' }
    expect(await find(store, { filter: { field: name, op: 'contains', value: 'sale 50%' } })).toEqual(['a'])
    expect(await find(store, { filter: { field: name, op: 'startsWith', value: 'SUMMER' } })).toEqual(['a'])
    expect(
      await find(store, { filter: { field: { member: 'slug' }, op: 'startsWith', value: 's' } }),
    ).toEqual(['a'])
  })
}

const members = (member: 'published' | 'archived', op: 'eq' | 'ne', value: boolean): Condition => ({
  field: { member },
  op,
  value,
})

const memberFilters: readonly Filter[] = [
  { field: { member: 'id' }, op: 'gt', value: 'CONT_0500' },
  { field: { member: 'type' }, op: 'in', value: ['page', 'Zine'] },
  { field: { member: 'name' }, op: 'startsWith', value: 'B' },
  { field: { member: 'slug' }, op: 'contains', value: '-5' },
  { field: { member: 'status' }, op: 'eq', value: 'draft' },
  { field: { member: 'status' }, op: 'eq', value: 'published' },
  { field: { member: 'status' }, op: 'in', value: ['archived'] },
  { field: { member: 'status' }, op: 'ne', value: 'draft' },
  { field: { member: 'parentId' }, op: 'eq', value: 'FOLD_A' },
  { field: { member: 'parentId' }, op: 'exists', value: false },
  { field: { member: 'version' }, op: 'lt', value: 10 },
  members('archived', 'eq', true),
  members('archived', 'ne', true),
  members('published', 'eq', true),
  members('published', 'eq', false),
  { field: { member: 'createdDate' }, op: 'gte', value: 1_749_988_800_009 },
  { field: { member: 'updatedDate' }, op: 'lte', value: 1_749_988_800_002 },
  { field: { member: 'publishedDate' }, op: 'gt', value: 1_749_988_800_005 },
  { field: { member: 'publishedDate' }, op: 'exists', value: true },
  { field: { member: 'createdBy' }, op: 'eq', value: 'Ben' },
  { field: { member: 'updatedBy' }, op: 'nin', value: ['ada'] },
]

function withValues(values: Readonly<Record<string, QueryValue | null>>) {
  return Object.entries(values).map(([id, value]) => anEntity({ id, values: indexed({ field: value }) }))
}

/**
 * Checks that each comparison with the value at `index` of an ordered list finds the right part of
 * the list.
 */
async function expectComparisons(
  store: Store,
  { entities, index, value }: { entities: readonly { id: string }[]; index: number; value: QueryValue },
): Promise<void> {
  const ids = entities.map(({ id }) => id)
  const expected = {
    eq: ids.slice(index, index + 1),
    ne: ids.toSpliced(index, 1),
    gt: ids.slice(index + 1),
    gte: ids.slice(index),
    lt: ids.slice(0, index),
    lte: ids.slice(0, index + 1),
  }
  for (const op of ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'] as const)
    expect(await find(store, { filter: { field, op, value } }), `${op} ${value}`).toEqual(
      expected[op].toSorted(),
    )
}
