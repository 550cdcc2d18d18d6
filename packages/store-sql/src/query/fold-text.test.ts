import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText, smallAscii, wordsOf } from './fold-text.ts'

describe('a folded text', () => {
  it('is small, without accents, with spaces for what parts words', () => {
    expect(foldText('Crème—Brûlée!')).toBe('creme brulee!')
    expect(foldText('ПРИВЕТ, Größe 東京')).toBe('привет, große 東京')
  })

  it('folds to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text))
      }),
    )
  })
})

describe('the words of a text', () => {
  it('are runs of letters and digits, each once', () => {
    expect(wordsOf('Left-hand, it’s LEFT "and" 3.5')).toEqual(['left', 'hand', 'it', 's', 'and', '3', '5'])
    expect(wordsOf(' !?"*^ ')).toEqual([])
  })

  it('hold nothing that a query language could read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const word of wordsOf(text)) expect(word).toMatch(/^[0-9a-z\u0080-\u{10ffff}]+$/u)
      }),
    )
  })
})

describe('small ASCII', () => {
  it('leaves letters beyond ASCII alone', () => {
    expect(smallAscii('ABC ÄÖÜ')).toBe('abc ÄÖÜ')
  })
})
