import { textQueryOf } from '@quire/core/ports'
import { describe, expect, it } from 'vitest'
import { matchText } from '../sqlite/match-text.ts'
import { tierOf, tiersOf } from './sought.ts'

const scope = '00001i'
const tiers = (text: string) => {
  const query = textQueryOf(text)
  return tiersOf(query).map((tier) => matchText(tierOf(scope, query, tier)))
}

describe('the tiers of a search', () => {
  it('are whole words in the name, prefixes in the name, whole words anywhere and prefixes anywhere, each without the earlier ones', () => {
    const named = '"00001inred"'
    const begun = '"00001inred"*'
    const whole = '"00001iared"'
    expect(tiers('red')).toEqual([
      named,
      `(${begun} NOT ${named})`,
      `(${whole} NOT ${begun})`,
      `("00001iared"* NOT (${begun} OR ${whole}))`,
    ])
  })

  it('are two when every word is a whole word', () => {
    expect(tiers('"red fox"')).toEqual([
      '"00001inred 00001infox"',
      '("00001iared 00001iafox" NOT "00001inred 00001infox")',
    ])
  })

  it('accept a category instead of the words, but not in the name', () => {
    const query = { terms: [{ words: ['red'], prefix: false, categories: ['CATG_1', 'CATG_2'] }] }
    expect(matchText(tierOf(scope, query, 0))).toBe('"00001inred"')
    expect(matchText(tierOf(scope, query, 2))).toBe(
      '(("00001iared" OR "00001iccatg\u{e05f}1" OR "00001iccatg\u{e05f}2") NOT "00001inred")',
    )
  })

  it('find nothing for a term without words and categories', () => {
    const query = { terms: [{ words: [], prefix: false, categories: [] }] }
    expect(matchText(tierOf(scope, query, 0))).toBe('"00001ib"')
  })
})
