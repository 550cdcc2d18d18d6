import { wordsOf } from '@quire/core/ports'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { prefixedWords } from './prefixed-words.ts'

it('has the words of a text, each after the prefix', () => {
  const parts = fc.constantFrom('a', 'Z', '9', 'é', '漢字', ' ', '-', '`{/:@', 'word'.repeat(20), '')
  const joined = fc.array(parts).map((all) => all.join(''))
  const texts = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), joined)
  fc.assert(
    fc.property(texts, (text) => {
      const expected = wordsOf(text).map((word) => `00001ia${word}`)
      expect(prefixedWords(text, '00001ia')).toBe(expected.join(' '))
    }),
  )
})

it('is the same for a text that is too long to be copied', () => {
  const text = 'some words '.repeat(20_000)
  const expected = wordsOf(text).map((word) => `00001ia${word}`)
  expect(prefixedWords(text, '00001ia')).toBe(expected.join(' '))
})
