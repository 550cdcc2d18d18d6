import {
  textQueryOf,
  type Condition,
  type Filter,
  type QueryField,
  type QueryValue,
  type Reader,
  type SortKey,
  type TextQuery,
} from '@quire/core/ports'
import * as fc from 'fast-check'
import { categories, number, prose, someLocales, text } from './random-heads.ts'

const mixedField: QueryField = { path: 'mixed', list: false }
const textField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'text', list: false },
  { path: 'words', list: true },
  mixedField,
  { member: 'name' },
  { member: 'type' },
  { member: 'status' },
  { member: 'parentId' },
  { member: 'slug' },
)
const numberField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'number', list: false },
  { path: 'sizes', list: true },
  mixedField,
  { member: 'version' },
  { member: 'publishedDate' },
)
const flagField: fc.Arbitrary<QueryField> = fc.constantFrom<QueryField>(
  { path: 'flag', list: false },
  mixedField,
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

const nested = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    condition,
    fc.record({ all: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ not: tie('filter') }),
  ),
}))

/** Conditions of every kind, nested. */
export const filter: fc.Arbitrary<Filter> = nested.filter

const sortKey: fc.Arbitrary<SortKey> = fc.record({
  field: fc.oneof(textField, numberField, flagField).filter((field) => !('list' in field && field.list)),
  descending: fc.boolean(),
})

/** Up to three sort keys. */
export const sort: fc.Arbitrary<SortKey[]> = fc.array(sortKey, { maxLength: 3 })

const typed = fc
  .tuple(prose, fc.boolean())
  .map(([given, quoted]) => textQueryOf(quoted ? `"${given}"` : given))
const ofCategories = fc
  .tuple(typed, categories)
  .map(([{ terms }, ids]) => ({ terms: terms.map((term) => ({ ...term, categories: ids })) }))

/** At least one word or phrase as people type them, some with categories instead, in some locales. */
export const textQuery: fc.Arbitrary<TextQuery> = fc
  .tuple(fc.oneof(typed, ofCategories), someLocales)
  .filter(([{ terms }]) => terms.length > 0)
  .map(([query, locales]) => ({ ...query, locales }))

/** Readers of everything, without roles, and of one type with a role. */
export const reader: fc.Arbitrary<Reader> = fc.constantFrom<Reader>(
  { types: 'all', roles: 'all' },
  { types: 'all', roles: [] },
  { types: ['page'], roles: ['ROLE_1'] },
)
