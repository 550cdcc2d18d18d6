import { describe, expect, it } from 'vitest'
import { textQueryOf, wordsOf } from './words.ts'

describe('the words of a text', () => {
  it('are small and without accents, whatever the script', () => {
    expect(wordsOf('Crème BRÛLÉE, Größe Ёлка ΟΔΟΣ')).toEqual(['creme', 'brulee', 'große', 'елка', 'οδοσ'])
    expect(wordsOf('ﬁne ｆｕｌｌ ½')).toEqual(['fine', 'full', '1', '2'])
    expect(wordsOf('हिन्दी 한국어')).toEqual(['हिन्दी', '한국어'])
  })

  it('are pairs of neighbours where a script knows no spaces, with the last letter alone', () => {
    expect(wordsOf('東京都')).toEqual(['東京', '京都', '都'])
    expect(wordsOf('iPhoneを使う 2025年')).toEqual(['iphone', 'を使', '使う', 'う', '2025', '年'])
    expect(wordsOf('ｶﾀｶﾅ')).toEqual(['カタ', 'タカ', 'カナ', 'ナ'])
  })

  it('have no more marks on a letter than anybody writes: to order them costs the square of their number', () => {
    const attack = `a${'\u0301'.repeat(100_000)}${'\u0323'.repeat(100_000)} क${'ि'.repeat(100)}`
    expect(wordsOf(attack)).toEqual(['a', `क${'ि'.repeat(30)}`])
  })

  it('are cut when they are very long', () => {
    expect(wordsOf('x'.repeat(1000))).toEqual(['x'.repeat(64)])
  })
})

describe('what people type', () => {
  const words = (text: string) => textQueryOf(text).terms.map((term) => [term.words.join(' '), term.prefix])

  it('asks for words or their beginnings, and for phrases as they are', () => {
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

  it('asks for every part of a run without spaces', () => {
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
