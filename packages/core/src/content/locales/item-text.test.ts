import type { Field } from '@quire/contract'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fieldsInLocales } from './fields.ts'
import { localizedText } from './item-text.ts'
import { valuesIn } from './read.ts'

const plain = { label: '', required: false, unique: false, list: false, help: '', searchable: true }
const text = (name: string, more: object = {}) =>
  ({ ...plain, name, kind: 'text', settings: {}, ...more }) as Field

const fields = fieldsInLocales(
  [
    text('title', { localized: true }),
    text('tags', { localized: true, list: true }),
    text('sku'),
    {
      ...plain,
      name: 'seo',
      kind: 'group',
      settings: { fields: [text('heading', { localized: true }), text('robots')] },
    },
    {
      ...plain,
      name: 'blocks',
      kind: 'union',
      list: true,
      settings: {
        variants: [
          { name: 'prose', label: '', fields: [text('words', { localized: true }), text('align')] },
          { name: 'rule', label: '', fields: [text('width')] },
        ],
      },
    },
  ],
  ['en', 'de', 'ar'],
)

const word = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '{"en":"x"}', '],"fields":{', 'Tinte', 'حبر'),
)
const byLocale = (value: fc.Arbitrary<unknown>) =>
  fc.record({ en: value, de: value, ar: fc.option(value) }, { requiredKeys: [] })
const values = fc.record(
  {
    title: byLocale(word),
    tags: byLocale(fc.array(word)),
    sku: word,
    seo: fc.record({ heading: byLocale(word), robots: word }, { requiredKeys: [] }),
    blocks: fc.array(
      fc.oneof(
        fc.record(
          { type: fc.constant('prose'), words: byLocale(word), align: word },
          { requiredKeys: ['type'] },
        ),
        fc.record({ type: fc.constant('rule'), width: fc.oneof(word, fc.integer(), fc.boolean()) }),
      ),
    ),
    unknown: fc.json().map((json): unknown => JSON.parse(json)),
  },
  { requiredKeys: [] },
)

it('puts together what parsing, choosing and writing would give', () => {
  const chains = [['en'], ['de', 'en'], ['ar', 'de', 'en'], ['fr']]
  fc.assert(
    fc.property(values, word, fc.constantFrom(...chains), (stored, name, chain) => {
      const view = { code: chain[0] ?? '', chain }
      const item = { id: 'CONT_1', name, fields: stored, isLatest: true, taxonomies: [] }
      const read = valuesIn(fields, JSON.parse(JSON.stringify(stored)), view)
      const hasFallbacks = Object.keys(read.fallbacks).length > 0
      const whole = { ...item, fields: read.values, locale: view.code }
      const expected = { ...whole, ...(hasFallbacks && { fallbacks: read.fallbacks }) }
      expect(localizedText(JSON.stringify(item), fields, view)).toBe(JSON.stringify(expected))
    }),
    { numRuns: 2000 },
  )
})
