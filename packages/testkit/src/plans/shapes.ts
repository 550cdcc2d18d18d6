import { isDeepStrictEqual } from 'node:util'
import {
  type Condition,
  type EntityQuery,
  type Filter,
  type QueryField,
  type QueryMember,
  type Reader,
  type SortKey,
  categoriesPath,
  textQueryOf,
} from '@quire/core/ports'

const member = (name: QueryMember): QueryField => ({ member: name })
const price: QueryField = { path: 'price', list: false }
const tags: QueryField = { path: 'tags', list: true }
const categories: QueryField = { path: categoriesPath, list: true }

const texts: readonly QueryField[] = [
  ...(['id', 'type', 'name', 'slug', 'status', 'parentId', 'createdBy', 'updatedBy'] as const).map(member),
  { path: 'colour', list: false },
  tags,
  categories,
]
/** Whether a field holds texts. */
export const isText = (field: QueryField): boolean => texts.some((text) => isDeepStrictEqual(text, field))

const numbers: readonly QueryField[] = [
  ...(['version', 'createdDate', 'updatedDate', 'publishedDate'] as const).map(member),
  price,
]
const flags: readonly QueryField[] = [member('published'), member('archived')]

const conditions: readonly Condition[] = [
  ...texts.flatMap((field): Condition[] => [
    { field, op: 'eq', value: 'a' },
    { field, op: 'ne', value: 'a' },
    { field, op: 'gt', value: 'a' },
    { field, op: 'in', value: ['a', 'b'] },
    { field, op: 'nin', value: ['a'] },
    { field, op: 'contains', value: 'a' },
    { field, op: 'startsWith', value: 'a' },
    { field, op: 'exists', value: true },
    { field, op: 'exists', value: false },
  ]),
  ...numbers.flatMap((field): Condition[] => [
    { field, op: 'eq', value: 1 },
    { field, op: 'lte', value: 1 },
    { field, op: 'in', value: [1, 2] },
  ]),
  ...flags.map((field): Condition => ({ field, op: 'eq', value: true })),
]

const [first, second, third] = [
  { field: member('parentId'), op: 'eq', value: 'a' },
  { field: price, op: 'gt', value: 1 },
  { field: tags, op: 'in', value: ['a', 'b'] },
] as const

/** Filters of every kind, alone and together. */
export const planFilters: readonly (Filter | undefined)[] = [
  undefined,
  ...conditions,
  { all: [first, second] },
  { all: [second, third] },
  { any: [first, third] },
  { not: { any: [second, third] } },
]

const by = (field: QueryField, descending = false): SortKey => ({ field, descending })

/** Sorts that an index serves, if the filter names only a type, a folder or one value. */
export const usualSorts: readonly (readonly SortKey[])[] = [
  [by(member('updatedDate'), true)],
  [by(member('updatedDate'))],
]

/** Sorts of every kind. */
export const planSorts: readonly (readonly SortKey[])[] = [
  ...usualSorts,
  [by(member('createdDate'), true)],
  [by(member('name'))],
  [by(member('status'), true), by(member('publishedDate'))],
  [by(price)],
  [by(price, true), by(member('name'))],
  [],
]

/** Readers of every kind. */
export const planReaders: readonly Reader[] = [
  { types: 'all', roles: 'all' },
  { types: ['article', 'page'], roles: ['ROLE_1'] },
  { types: ['article'], roles: [] },
]

/** Texts: none, and words. */
export const planTexts = [undefined, textQueryOf('red pri')]

/** The common members of all list queries. */
export const planBase = {
  kind: 'item',
  archived: false,
  limit: 1,
  count: true,
} as const satisfies Partial<EntityQuery>
