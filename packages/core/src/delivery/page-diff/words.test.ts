import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitVerbatim, splitWords } from './tokens.ts'

describe('text', () => {
  it.each<[string, string[]]>([
    ['a red-hot  fox, 12.5 %', ['a', 'red', '-', 'hot', 'fox', ',', '12', '.', '5', '%']],
    ['Größe naïve e\u0301t\u0301', ['Größe', 'naïve', 'e\u0301t\u0301']],
    ['日本語を勉強します', ['日本語', 'を', '勉強', 'し', 'ます']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['ok 👩‍👧 done', ['ok', '👩‍👧', 'done']],
  ])('%s is split into its words', (text, words) => {
    expect(splitWords(text).words.map((word) => word.text)).toEqual(words)
  })

  it('is split into parts that together are the text, in every script', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const split of [splitWords, splitVerbatim]) {
          const { words, tail } = split(text)
          expect(words.map((word) => word.lead + word.text).join('') + tail).toBe(text)
          expect(words.every((word) => word.text !== '')).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('keeps visible white space as words', () => {
    expect(splitVerbatim('a  b\n\nc').words.map(({ text }) => text)).toEqual([
      'a',
      '  ',
      'b',
      '\n',
      '\n',
      'c',
    ])
  })
})
