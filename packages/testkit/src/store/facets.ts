import {
  textQueryOf,
  type FacetCount,
  type FacetQuery,
  type Branch,
  type QueryField,
  type QueryValue,
  type Store,
} from '@quire/core/ports'
import { describe, expect } from 'vitest'
import { anEntity, indexed, sameVersion, inPackageOf } from '../entity.ts'
import { main, packageId, packageBranch, write, type StoreTest } from './fixture.ts'
import { compareValues } from './oracle.ts'
import { given } from './searching.ts'
import { numbersInOrder, textsInOrder } from './specimens.ts'

export function facetLaws(test: StoreTest): void {
  describe('facets', () => {
    test('count values, most frequent first, without absent ones', async ({ store }) => {
      await write(store, ...withColours('red', 'blue', null, 'red', 'Red', 'green', 'blue', 'red'))
      expect(await facet(store, colour)).toEqual([
        { value: 'red', count: 3 },
        { value: 'blue', count: 2 },
        { value: 'Red', count: 1 },
        { value: 'green', count: 1 },
      ])
      expect(await facet(store, { path: 'nowhere', list: false })).toEqual([])
    })

    test('return at most `limit` values, each with its full count', async ({ store }) => {
      await write(store, ...withColours('c', 'a', 'b', 'b'))
      expect(await facet(store, colour, { limit: 2 })).toEqual([
        { value: 'b', count: 2 },
        { value: 'a', count: 1 },
      ])
    })

    test('return values as they were put, in the order of values', async ({ store }) => {
      const long = 'x'.repeat(100_000)
      const values: readonly QueryValue[] = [
        false,
        true,
        ...numbersInOrder,
        ...textsInOrder,
        `${long}a`,
        `${long}b`,
      ]
      const inOrder = values.toSorted(compareValues)
      await write(store, ...withColours(...values.toReversed()))
      expect(await facet(store, colour)).toEqual(inOrder.map((value) => ({ value, count: 1 })))
    })

    test('keep numbers, booleans and their texts apart', async ({ store }) => {
      await write(store, ...withColours('10', 10, '10', true, 'true', 1, 'é', 'e\u0301'))
      expect(await facet(store, colour)).toEqual([
        { value: '10', count: 2 },
        ...[true, 1, 10, 'e\u0301', 'true', 'é'].map((value) => ({ value, count: 1 })),
      ])
    })

    test('count an entity once for each different value of a list', async ({ store }) => {
      const tagged = (id: string, ...tags: readonly string[]) => anEntity({ id, values: indexed({ tags }) })
      await write(store, tagged('a', 'x', 'y', 'x'), tagged('b', 'y'), tagged('c'))
      expect(await facet(store, { path: 'tags', list: true })).toEqual([
        { value: 'y', count: 2 },
        { value: 'x', count: 1 },
      ])
    })

    test('answer each field in the order of the query, even a repeated one', async ({ store }) => {
      await write(
        store,
        anEntity({ id: 'a', parentId: 'FOLD_1', publishedVersion: 1, values: indexed({ colour: 'red' }) }),
        anEntity({ id: 'b', type: 'page', archived: true }),
        anEntity({ id: 'c', type: 'page' }),
      )
      const fields = [
        { member: 'status' },
        colour,
        { member: 'type' },
        { member: 'parentId' },
        colour,
      ] as const
      const red = [{ value: 'red', count: 1 }]
      expect(await facets(store, { fields, archived: true })).toEqual([
        ['archived', 'draft', 'published'].map((value) => ({ value, count: 1 })),
        red,
        [
          { value: 'page', count: 2 },
          { value: 'article', count: 1 },
        ],
        [{ value: 'FOLD_1', count: 1 }],
        red,
      ])
      expect(await facets(store, { fields: [] })).toEqual([])
    })

    test('leave out deleted entities and, unless requested, archived ones', async ({ store }) => {
      const [a, b, c] = [coloured('a', 'red'), coloured('b', 'red'), coloured('c', 'red')]
      await write(store, a, b, c)
      await write(store, sameVersion(b, { deletedDate: 5 }), sameVersion(c, { archived: true }))
      expect(await facet(store, colour)).toEqual([{ value: 'red', count: 1 }])
      expect(await facet(store, colour, { archived: true })).toEqual([{ value: 'red', count: 2 }])
    })

    test('count what matches a text and a filter', async ({ store }) => {
      const row = (id: string, colours: string, name: string) => ({
        ...coloured(id, colours),
        search: given(name),
      })
      await write(store, row('a', 'red', 'ant'), row('b', 'blue', 'antler'), row('c', 'red', 'bee'))
      const text = textQueryOf('ant')
      expect(await facet(store, colour, { text })).toEqual([
        { value: 'blue', count: 1 },
        { value: 'red', count: 1 },
      ])
      const filter = { field: { member: 'id' }, op: 'ne', value: 'b' } as const
      expect(await facet(store, colour, { text, filter })).toEqual([{ value: 'red', count: 1 }])
      expect(await facet(store, colour, { text: { terms: [] }, filter })).toEqual([
        { value: 'red', count: 2 },
      ])
    })

    test('count what the reader may see', async ({ store }) => {
      const roles = { read: ['ROLE_S'], write: [], delete: [] }
      await write(store, coloured('a', 'red'), { ...coloured('b', 'secret'), roles })
      expect(await facet(store, colour, { reader: { types: 'all', roles: [] } })).toEqual([
        { value: 'red', count: 1 },
      ])
      expect(await facet(store, colour, { reader: { types: [], roles: 'all' } })).toEqual([])
    })

    test('count what a package’s branch shows', async ({ store }) => {
      const [a, b, c] = [coloured('a', 'red'), coloured('b', 'red'), coloured('c', 'blue')]
      await write(store, a, b, c)
      await write(
        store,
        inPackageOf(packageId, a, { values: indexed({ colour: 'green' }) }),
        inPackageOf(packageId, c, { deletedDate: 5 }),
      )
      expect(await facet(store, colour, { branch: packageBranch })).toEqual([
        { value: 'green', count: 1 },
        { value: 'red', count: 1 },
      ])
      expect(await facet(store, colour)).toEqual([
        { value: 'red', count: 2 },
        { value: 'blue', count: 1 },
      ])
    })
  })
}

const colour: QueryField = { path: 'colour', list: false }

type FacetInput = Partial<FacetQuery> & { readonly branch?: Branch }

/** All facets of the items that anyone may see, without archived ones, by default on main. */
function facets(store: Store, { branch = main, ...query }: FacetInput) {
  const reader = { types: 'all', roles: 'all' } as const
  return store.entities.facets(branch, {
    kind: 'item',
    reader,
    archived: false,
    fields: [],
    limit: 1000,
    ...query,
  })
}

async function facet(
  store: Store,
  field: QueryField,
  query: FacetInput = {},
): Promise<readonly FacetCount[] | undefined> {
  return (await facets(store, { ...query, fields: [field] }))[0]
}

function coloured(id: string, value: QueryValue | null) {
  return anEntity({ id, values: indexed({ colour: value }) })
}

function withColours(...values: readonly (QueryValue | null)[]) {
  return values.map((value, index) => coloured(`CONT_${index}`, value))
}
