import { FieldList, type ScalarField } from '@quire/contract'
import { describe, expect, it } from 'vitest'
import { comparableFields, edgesOf, indexedValues, passagesOf } from './derived.ts'
import { checkValues, missingValues } from './values.ts'

const item = 'CONT_01JB2Q4YQ6S0M5W8V9TZ3XKD7E'

describe('the value of a field', () => {
  /** Settings of a kind, with values that it accepts and values that it rejects. */
  type Case = readonly [settings: Record<string, unknown>, good: readonly unknown[], bad: readonly unknown[]]
  const casesOf: Record<ScalarField['kind'], readonly Case[]> = {
    text: [
      [{ minLength: 2, maxLength: 3 }, ['ab', 'abc'], ['a', 'abcd', 1, ['ab']]],
      [{ options: ['x', 'y'] }, ['x'], ['z', '']],
      [{ pattern: '[a-c]+' }, ['abc'], ['abcd', '']],
    ],
    richText: [[{ format: 'markdown' }, ['<b>x'], [1]]],
    number: [[{ min: 0, max: 1, step: 0.1 }, [0, 0.3, 0.7, 1], [-0.1, 1.1, 0.35, '1']]],
    integer: [[{}, [0, -5, Number.MAX_SAFE_INTEGER], [1.5, 2 ** 53, '1']]],
    boolean: [[{}, [true, false], ['true', 0, 1]]],
    date: [
      [{ min: '2024-01-01' }, ['2024-02-29'], ['2023-12-31', '2023-02-29', '2024-2-1', '2024-01-01T00:00']],
    ],
    datetime: [[{ min: 0 }, [0, 1_790_000_000_000], [-1, '2024-01-01', 1.5]]],
    reference: [[{}, [item], ['x', 'CONT_1', 7]]],
    asset: [[{}, [item], ['x']]],
    category: [[{}, ['CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS'], ['x']]],
    url: [[{}, ['https://example.org/a?b#c'], ['javascript:alert(1)', 'example.org', 'file:///etc/passwd']]],
    email: [[{}, ['a@b.c'], ['a@b', '@b.c', 'a b@c.d', 'a@@b.c', 'a@b.c.']]],
    slug: [[{}, ['a-b'], ['A', 'a--b', '-a']]],
    color: [[{}, ['#fff', '#A1b2C3', '#11223344'], ['red', '#ff', '#12345']]],
    geo: [[{}, [{ lat: 90, lng: -180 }], [{ lat: 91, lng: 0 }, { lat: 1 }, { lat: 1, lng: 1, alt: 1 }, 'x']]],
    json: [
      [
        { schema: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } },
        [{ a: 1 }],
        [{}, { a: 'x' }, 1],
      ],
      [{}, [[1, { deep: null }], 'x'], []],
    ],
  }
  const cases = Object.entries(casesOf).flatMap(([kind, some]) => some.map((one) => [kind, ...one] as const))
  it.each(cases)('%s %j accepts valid values and rejects others', async (...[kind, settings, good, bad]) => {
    const fields = FieldList.parse([{ name: 'v', kind, settings }])
    for (const value of good)
      expect((await checkValues(fields, { v: value as never })).issues, JSON.stringify(value)).toEqual([])
    for (const value of bad) {
      const { issues } = await checkValues(fields, { v: value as never })
      expect(
        issues.map(({ path }) => path),
        JSON.stringify(value),
      ).toEqual(['fields.v'])
    }
  })
})

const fields = FieldList.parse([
  { name: 'title', kind: 'text', required: true },
  { name: 'tags', kind: 'text', list: true },
  { name: 'secret', kind: 'text', searchable: false },
  { name: 'body', kind: 'richText' },
  { name: 'price', kind: 'number' },
  { name: 'author', kind: 'reference', settings: { onDelete: 'restrict' } },
  { name: 'seo', kind: 'group', settings: { fields: [{ name: 'title', kind: 'text', required: true }] } },
  {
    name: 'blocks',
    kind: 'union',
    list: true,
    settings: {
      variants: [
        {
          name: 'quote',
          fields: [
            { name: 'by', kind: 'reference' },
            { name: 'words', kind: 'text', required: true },
          ],
        },
      ],
    },
  },
])

describe('values', () => {
  const values = {
    title: 'T',
    tags: ['a', 'b', 'a'],
    secret: 'hidden',
    body: '<p>In <b>ink</b></p>',
    author: item,
    seo: { title: 'S' },
    blocks: [{ type: 'quote', by: item, words: 'Said' }],
  }

  it('are stored unchanged if they fit, without nulls', async () => {
    expect(await checkValues(fields, { ...values, price: null })).toEqual({ values, issues: [] })
  })

  it('are reported as missing if required, also inside groups and blocks', () => {
    const paths = missingValues(fields, { seo: {}, blocks: [{ type: 'quote', words: '' }] }).map(
      ({ path }) => path,
    )
    expect(paths).toEqual(['fields.title', 'fields.seo.title', 'fields.blocks.0.words'])
  })

  it('are indexed by path, with null for an absent single value', () => {
    expect(indexedValues(fields, values)).toEqual([
      { path: 'title', value: 'T' },
      { path: 'tags', value: 'a' },
      { path: 'tags', value: 'b' },
      { path: 'secret', value: 'hidden' },
      { path: 'price', value: null },
      { path: 'author', value: item },
      { path: 'seo.title', value: 'S' },
    ])
    expect(comparableFields(fields).map(({ path }) => path)).not.toContain('blocks')
  })

  it('have edges that say what deleting the target does', () => {
    expect(edgesOf(fields, values)).toEqual([
      { path: 'author', targetId: item, onDelete: 'restrict' },
      { path: 'blocks.by', targetId: item, onDelete: 'unset' },
    ])
  })

  it('are searched without markup, and only in searchable fields', () => {
    const text = [...passagesOf(fields, values)].map((passage) => passage.text).join('\n')
    expect(text.split(/\s+/)).toEqual(expect.arrayContaining(['T', 'In', 'ink', 'Said']))
    expect(text).not.toContain('hidden')
    expect(text).not.toContain('<')
  })
})
