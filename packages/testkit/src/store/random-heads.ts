import { categoriesPath, type EntityWrite } from '@quire/core/ports'
import * as fc from 'fast-check'
import { indexed } from '../entity.ts'

/**
 * Texts that stores might confuse: they differ in case, accents, wildcards or type, or only after a
 * thousand letters.
 */
export const text = fc.constantFrom(
  ...'a A ab Ab b % _ a%b a\\ \' " null true 1 10 9 ä Ä a\u0308 é e\u0301 ß ss \u{FFFD} 😀 😀a 日本'.split(
    ' ',
  ),
  '',
  ' a',
  'x'.repeat(5_000),
  `${'x'.repeat(5_000)}y`,
  `${'X'.repeat(5_000)}y`,
)

/** Numbers, up to both extremes. */
export const number = fc.constantFrom(-1e21, -2, -1.5, 0, 0.1, 0.30000000000000004, 1, 2, 10, 2 ** 53, 1e21)

/** Null in one of three cases. */
export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3 })

const values = fc.record({
  text: optional(text),
  number: optional(number),
  flag: optional(fc.boolean()),
  mixed: optional(fc.oneof(text, number, fc.boolean())),
  words: fc.array(text, { maxLength: 3 }),
  sizes: fc.array(number, { maxLength: 3 }),
  [categoriesPath]: fc.subarray(['CATG_1', 'CATG_2', 'CATG_3']),
})

/** The members of entities that filters, sorts and facets use. */
export const members: fc.Arbitrary<Partial<EntityWrite>> = fc.record({
  type: fc.constantFrom('article', 'page'),
  name: text,
  parentId: optional(fc.constantFrom('FOLD_1', 'FOLD_2')),
  archived: fc.boolean(),
  publishedVersion: optional(fc.constantFrom(1, 2)),
  publishedDate: optional(fc.constantFrom(1, 2, 2 ** 41)),
  values: fc
    .tuple(values, fc.boolean())
    .map(([drawn, rows]) => indexed(rows ? drawn : { words: drawn.words })),
})

/** Texts of files, some of which documents name. */
export const files = { hash1: 'Antlers of École 東京', hash2: '10 bees\u{2014}100 😀' }

const word = fc.constantFrom(
  ...'a an ant Ants antler bee é École ecole ß ss Straße 1 10 100 東 東京 京都 京 都 😀 Ａｎ и й'.split(' '),
  'x'.repeat(70),
)
const gap = fc.constantFrom(' ', ' ', '-', '', ', ', '😀', '"')

/** A few short words, so that searches often match. */
export const prose = fc
  .array(fc.tuple(word, gap), { maxLength: 5 })
  .map((parts) => parts.map(([given, after]) => given + after).join(''))

/** Any of three categories. */
export const categories = fc.subarray(['CATG_1', 'CATG_2', 'CATG_3'])

/** One or both locales. */
export const someLocales = fc.subarray(['de', 'en'], { minLength: 1 })

const passage = fc.record(
  { path: fc.constantFrom('a', 'b'), text: prose, locales: someLocales },
  { requiredKeys: ['path', 'text'] },
)

const search = fc.option(
  fc.record(
    {
      name: prose,
      passages: fc.array(passage, { maxLength: 3 }),
      categories,
      file: fc.option(fc.constantFrom('hash1', 'hash2', 'hash3'), { freq: 2 }),
      locales: fc.constant(['de', 'en']),
    },
    { requiredKeys: ['name', 'passages', 'categories', 'file'] },
  ),
  { freq: 8 },
)

const roles = fc.record({
  read: fc.constantFrom<readonly string[]>([], [], ['ROLE_1']),
  write: fc.constant([]),
  delete: fc.constant([]),
})

/** Everything in which heads may differ. */
export const head: fc.Arbitrary<Partial<EntityWrite>> = fc
  .tuple(members, fc.record({ search, roles }))
  .map(([drawn, found]) => ({ ...drawn, ...found }))
