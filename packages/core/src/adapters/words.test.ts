import { describe, expect, it } from 'vitest'
import { textQueryOf, wordsOf } from './words.ts'

describe('the words of a text', () => {
  it('are in lower case and without accents, whatever the script', () => {
    expect(wordsOf('Crème BRÛLÉE, Größe Ёлка ΟΔΟΣ')).toEqual(['creme', 'brulee', 'große', 'елка', 'οδοσ'])
    expect(wordsOf('ﬁne ｆｕｌｌ ½')).toEqual(['fine', 'full', '1', '2'])
    expect(wordsOf('हिन्दी 한국어')).toEqual(['हिन्दी', '한국어'])
  })

  it('are pairs of neighbors in scripts without spaces, plus the last letter alone', () => {
    expect(wordsOf('東京都')).toEqual(['東京', '京都', '都'])
    expect(wordsOf('iPhoneを使う 2025年')).toEqual(['iphone', 'を使', '使う', 'う', '2025', '年'])
    expect(wordsOf('ｶﾀｶﾅ')).toEqual(['カタ', 'タカ', 'カナ', 'ナ'])
  })

  it('have at most 30 marks on a letter: sorting them costs the square of their number', () => {
    const attack = `a${'\u0301'.repeat(100_000)}${'\u0323'.repeat(100_000)} क${'ि'.repeat(100)}`
    expect(wordsOf(attack)).toEqual(['a', `क${'ि'.repeat(30)}`])
  })

  it('are cut when they are very long', () => {
    expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(64)])
  })
})

describe('the search text of a user', () => {
  const words = (text: string) => textQueryOf(text).terms.map((term) => [term.words.join(' '), term.prefix])

  it('searches for words or prefixes, and for exact phrases', () => {
    expect(words('ink "that remembers" pa')).toEqual([
      ['ink', true],
      ['that remembers', false],
      ['pa', true],
    ])
    expect(words('a "unclosed phrase')).toEqual([
      ['a', false],
      ['unclosed phrase', false],
    ])
    expect(words('!? "" *')).toEqual([])
  })

  it('searches for any part of a run without spaces', () => {
    expect(words('京都')).toEqual([['京都', false]])
    expect(words('都')).toEqual([['都', true]])
    expect(words('東京都')).toEqual([['東京 京都', false]])
    expect(words('"ink 都"')).toEqual([['ink 都', true]])
    expect(words('"東京都"')).toEqual([['東京 京都', false]])
  })

  it('takes no more than 32 terms', () => {
    expect(textQueryOf('word '.repeat(100)).terms).toHaveLength(32)
  })
})
