import type { Condition, EntityQuery, QueryField } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { isBounded, planOf } from './drive.ts'

const base: EntityQuery = {
  kind: 'item',
  reader: { types: 'all', roles: 'all' },
  archived: false,
  sort: [{ field: { member: 'updatedDate' }, descending: true }],
  limit: 25,
  count: true,
}
const path = (name: string, list = false): QueryField => ({ path: name, list })
const colour: Condition = { field: path('colour'), op: 'eq', value: 'red' }
const price: Condition = { field: path('price'), op: 'gt', value: 5 }
const below = (value: string | number): Condition => ({ field: path('price'), op: 'lt', value })
const type: Condition = { field: { member: 'type' }, op: 'eq', value: 'article' }

const plan = (query: Partial<EntityQuery>) => planOf({ ...base, ...query })

describe('a list is walked by', () => {
  it('a custom value that must be equal, without looking at heads', () => {
    const { drive, filters } = plan({ filter: { all: [price, colour, type] } })
    expect(drive).toMatchObject({ by: 'values', driving: { path: 'colour' }, alone: true })
    expect(filters).toEqual([price])
  })

  it('a value and its heads when the sort or another condition needs them', () => {
    const sort = [{ field: { member: 'name' as const }, descending: false }]
    expect(plan({ filter: colour, sort }).drive).toMatchObject({ by: 'values', alone: false })
    const status: Condition = { field: { member: 'status' }, op: 'ne', value: 'draft' }
    expect(plan({ filter: { all: [colour, status] } }).drive).toMatchObject({ by: 'values', alone: false })
  })

  it('the value that it is sorted by, rather than another range', () => {
    const other: Condition = { field: path('size'), op: 'lt', value: 9 }
    const sort = [{ field: path('price'), descending: true }]
    expect(plan({ filter: { all: [other, price] }, sort }).drive).toMatchObject({
      driving: { path: 'price' },
    })
  })

  it('words before everything else', () => {
    const text = { terms: [{ words: ['red'], prefix: true, categories: [] }] }
    expect(plan({ filter: colour, text }).drive).toEqual({ by: 'words', text })
  })

  it('heads when the filter has only negations or alternatives, or names one head', () => {
    const id: Condition = { field: { member: 'id' }, op: 'eq', value: 'CONT_1' }
    const not: Condition = { field: path('colour'), op: 'ne', value: 'red' }
    const absent: Condition = { field: path('colour'), op: 'exists', value: true }
    for (const filter of [not, absent, { any: [colour, price] }, { not: colour }, { all: [colour, id] }])
      expect(plan({ filter }).drive).toEqual({ by: 'heads' })
  })
})

describe('both ends of a range', () => {
  const rangeOf = (...all: readonly Condition[]) => plan({ filter: { all } })
  const both = { op: 'between', lower: { op: 'gt', value: 5 }, upper: { op: 'lt', value: 9 } }

  it('bound one walk, in whichever order they are given', () => {
    for (const { drive, filters } of [rangeOf(price, below(9)), rangeOf(below(9), price)]) {
      expect(drive).toMatchObject({ driving: { path: 'price', test: both } })
      expect(filters).toEqual([])
    }
  })

  it('stay two conditions for a list field, for values of different types, or when both are on the same side', () => {
    const tags: Condition[] = [
      { field: path('tags', true), op: 'gt', value: 5 },
      { field: path('tags', true), op: 'lt', value: 9 },
    ]
    const above: Condition = { ...price, op: 'gte', value: 6 }
    for (const all of [tags, [price, below('x')], [price, above]])
      expect(rangeOf(...all).filters).toHaveLength(1)
  })
})

describe('a list is bounded by an index', () => {
  const isSmall = (query: Partial<EntityQuery>) => isBounded({ ...base, ...query }, plan(query))
  const byName = [{ field: { member: 'name' as const }, descending: false }]
  const byCreated = [{ field: { member: 'createdDate' as const }, descending: true }]
  const byPrice = [{ field: path('price'), descending: false }]
  const folder: Condition = { field: { member: 'parentId' }, op: 'eq', value: 'FOLD_1' }

  it('when the index has the matches in order', () => {
    for (const sort of [base.sort, byName, byCreated]) expect(isSmall({ sort })).toBe(true)
    for (const filter of [type, folder, colour]) expect(isSmall({ filter })).toBe(true)
    expect(isSmall({ filter: folder, sort: byName })).toBe(true)
    expect(isSmall({ filter: price, sort: byPrice })).toBe(true)
    expect(isSmall({ filter: { all: [price, below(9)] }, sort: byPrice })).toBe(true)
  })

  it('when only one head can match, in any order', () => {
    expect(isSmall({ filter: { field: { member: 'slug' }, op: 'eq', value: 'one' }, sort: byPrice })).toBe(
      true,
    )
  })

  it('but not when it must be sorted or has further conditions', () => {
    expect(isSmall({ filter: folder, sort: byCreated })).toBe(false)
    for (const sort of [byName, byPrice, [...base.sort, ...byName]])
      expect(isSmall({ filter: colour, sort })).toBe(false)
    expect(isSmall({ filter: { all: [colour, price] } })).toBe(false)
    expect(isSmall({ filter: { field: { member: 'status' }, op: 'eq', value: 'draft' } })).toBe(false)
    expect(isSmall({ text: { terms: [{ words: ['red'], prefix: true, categories: [] }] } })).toBe(false)
  })
})

describe('the types of a list', () => {
  const inTypes: Condition = { field: { member: 'type' }, op: 'in', value: ['article', 'page', 'page'] }

  it('are those that the filter names and the reader may see', () => {
    expect(plan({}).types).toBeNull()
    expect(plan({ filter: inTypes }).types).toEqual(['article', 'page'])
    expect(plan({ filter: inTypes, reader: { types: ['page', 'author'], roles: 'all' } }).types).toEqual([
      'page',
    ])
    expect(plan({ filter: { all: [inTypes, type] } }).types).toEqual(['article'])
    expect(plan({ filter: type, reader: { types: [], roles: 'all' } }).types).toEqual([])
  })

  it('are not narrowed by alternatives or negations', () => {
    expect(plan({ filter: { any: [type, colour] } }).types).toBeNull()
    expect(plan({ filter: { not: type } }).types).toBeNull()
  })
})
