import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textQueryOf, wordPositionsOf, wordsOf, foldText } from '../../adapters/words.ts'
import { highlightsOf } from './highlight.ts'

function fragments(text: string, sought: string): readonly string[] {
  return highlightsOf([{ path: 'name', text }], textQueryOf(sought))[0]?.fragments ?? []
}

describe('highlights', () => {
  it.each([
    ['Ink that remembers', 'remember', ['Ink that <mark>remembers</mark>']],
    ['Crème brûlée', 'BRULEE creme', ['<mark>Crème</mark> <mark>brûlée</mark>']],
    ['Cre\u0300me', 'crème', ['<mark>Crème</mark>']],
    ['that ink, ink that', '"ink that"', ['that ink, <mark>ink that</mark>']],
    ['a and b', 'a', ['<mark>a</mark> and b']],
    ['東京都の図書館', '図書館', ['東京都の<mark>図書館</mark>']],
    ['東京都の図書館', '都', ['東京<mark>都</mark>の図書館']],
    ['ｶﾞｲﾄﾞ 2025', 'ガイド', ['<mark>ガイド</mark> 2025'.replace('ガイド', 'ｶﾞｲﾄﾞ')]],
    ['ﬁne ½', 'fine', ['<mark>ﬁne</mark> ½']],
    ['𝐁old 😀 text', 'bold', ['<mark>𝐁old</mark> 😀 text']],
    ['<b>ink</b> & "ink"', 'ink', ['&lt;b&gt;<mark>ink</mark>&lt;/b&gt; &amp; &quot;<mark>ink</mark>&quot;']],
    ['nothing here', 'ink', []],
    ['', 'ink', []],
  ])('of %j for %j are %j', (text, sought, expected) => {
    expect(fragments(text, sought)).toEqual(expected)
  })

  it('mark words of different scripts in one text', () => {
    expect(fragments('Größe: iPhoneを使う', 'iphone große 使う')).toEqual([
      '<mark>Größe</mark>: <mark>iPhoneを使う</mark>'.replace('を使う</mark>', '</mark>を<mark>使う</mark>'),
    ])
  })

  it('are at most three fragments of a long text, each of about 160 characters and whole words', () => {
    const found = fragments(`${'word '.repeat(100)}ink `.repeat(5), 'ink')
    expect(found).toHaveLength(3)
    for (const fragment of found) {
      expect(fragment.length).toBeLessThan(200)
      expect(fragment).toMatch(/^…word .* <mark>ink<\/mark> .* word…$/)
    }
  })

  it('name the text that they are from, and leave out texts without a match', () => {
    const passages = [
      { path: 'name', text: 'Ink' },
      { path: 'description', text: 'Paper' },
      { path: 'fields.body', text: 'ink again' },
    ]
    expect(highlightsOf(passages, textQueryOf('ink'))).toEqual([
      { path: 'name', fragments: ['<mark>Ink</mark>'] },
      { path: 'fields.body', fragments: ['<mark>ink</mark> again'] },
    ])
  })

  it('cover only the first hundred thousand characters', () => {
    expect(fragments(`${'x '.repeat(50_000)} ink`, 'ink')).toEqual([])
    expect(fragments(`${'x '.repeat(49_990)} ink`, 'ink')).toHaveLength(1)
  })

  it('are cut in a very long word', () => {
    const [fragment = ''] = fragments('é'.repeat(10_000), 'eeee')
    expect(fragment).toBe(`<mark>${'é'.repeat(400)}</mark>…`)
  })
})

const letters = [
  ...'abc e\u0301 é É ß ſ ﬁ ½ 東 京 都 の ｶ ﾞ ガ ㄱ ㅏ 가 ᄀ ᅡ न ि ् ก 😀 𝐁 𠮷 Σ ς İ & < > " \' - _ … \n'.split(
    ' ',
  ),
  ' ',
  ' ',
  '\u{10ffff}',
]
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 600 })

describe('the laws of highlights', () => {
  it('the positions of words match the words that are searched', () => {
    fc.assert(
      fc.property(text, (written) => {
        const folded = foldText(written)
        const positions = wordPositionsOf(folded)
        expect(positions.map(({ word }) => word)).toEqual(wordsOf(written))
        for (const { word, start, end } of positions)
          expect(folded.slice(start, end).startsWith(word)).toBe(true)
      }),
    )
  })

  it('every fragment contains a match, only its own markup, and no half of a surrogate pair', () => {
    fc.assert(
      fc.property(text, fc.nat(), (written, nth) => {
        const words = written.split(/\s+/u).filter((word) => wordsOf(word).length > 0)
        const sought = words[nth % Math.max(1, words.length)]?.replaceAll('"', ' ') ?? 'none'
        for (const fragment of fragments(written, `"${sought}" none`)) {
          expect(fragment.isWellFormed()).toBe(true)
          const inner = [...fragment.matchAll(/<mark>([^<]+)<\/mark>/g)]
          expect(inner.length).toBeGreaterThan(0)
          expect(fragment.replaceAll(/<\/?mark>/g, '')).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/)
        }
      }),
    )
  })

  it('a text that contains a word has a fragment with it', () => {
    fc.assert(
      fc.property(text, fc.nat(), (written, nth) => {
        const words = wordsOf(written.normalize('NFC'))
        const word = words[nth % Math.max(1, words.length)]
        if (word === undefined) return
        const found = highlightsOf([{ path: 'name', text: written }], {
          terms: [{ words: [word], prefix: false, categories: [] }],
        })
        expect(found).toHaveLength(1)
      }),
    )
  })

  it('every fragment is part of the text', () => {
    fc.assert(
      fc.property(text, (written) => {
        const [first = ''] = written.split(/\s+/u).filter((word) => wordsOf(word).length > 0)
        for (const fragment of fragments(written, first)) {
          const plain = unescape(fragment.replaceAll(/<\/?mark>/g, ''))
          expect(written.normalize('NFC')).toContain(plain.replace(/^…/, '').replace(/…$/, ''))
        }
      }),
    )
  })
})

function unescape(html: string): string {
  return html
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}
