import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryToken, localePrefix, scopeOf, tokensOf } from './tokens.ts'

describe('the words of a document', () => {
  it('start with branch, kind and location, and a separator word stands between two texts', () => {
    const passages = [
      { path: 'description', text: 'Café au lait' },
      { path: 'fields.body', text: '—' },
    ]
    const tokens = tokensOf(scopeOf(36, 'item'), {
      name: 'The menu',
      passages,
      categories: ['CATG_1'],
      text: 'scan',
    })
    expect(tokens.split(/ +/)).toEqual([
      '00010inthe',
      '00010inmenu',
      '00010iccatg\u{e05f}1',
      '00010iathe',
      '00010iamenu',
      '0',
      '00010iacafe',
      '00010iaau',
      '00010ialait',
      '0',
      '00010iascan',
    ])
  })

  it('stand under each locale if they are short and shared, with none for all', () => {
    const document = { name: 'Ink', passages: [], categories: [], text: null, locales: ['de', 'en'] }
    const [named, ...words] = tokensOf('00001i', document).split(/ +/)
    expect(named).toBe('00001inink')
    expect(words.filter((word) => word !== '0')).toEqual(
      document.locales.map((locale) => `${localePrefix('00001i', locale)}ink`),
    )
    const long = { ...document, passages: [{ path: 'fields.note', text: 'ink '.repeat(2000) }] }
    expect(new Set(tokensOf('00001i', long).split(/ +/))).toEqual(new Set(['00001inink', '00001iaink', '0']))
  })

  it('have a scope of the same length on every branch', () => {
    for (const branch of [1, 35, 36, 60_466_175]) expect(scopeOf(branch, 'taxonomy')).toHaveLength(6)
  })

  it('represent each category as one distinct word', () => {
    const id = fc.string({ unit: 'grapheme-ascii', minLength: 1 })
    fc.assert(
      fc.property(id, id, (a, b) => {
        const [one, other] = [categoryToken('00001i', a), categoryToken('00001i', b)]
        expect(one === other).toBe(a === b)
        expect(one).toMatch(/^[0-9a-z\u0080-\u{10ffff}]+$/u)
      }),
    )
  })
})
