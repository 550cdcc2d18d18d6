import { describe, expect, it } from 'vitest'
import { portablePattern } from './patterns.ts'

const patterns = [
  String.raw`^[^\p{Cc}/]*$`,
  String.raw`^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N} _-]*[\p{L}\p{M}\p{N}_-])?$`,
  String.raw`^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+(-[\p{Ll}\p{Lo}\p{Lm}\p{Nd}]+)*$`,
]
const latin = Array.from({ length: 0x1_00 }, (_, code) => String.fromCodePoint(code))

describe('a pattern for tools that know no Unicode properties', () => {
  it.each(patterns)('accepts the same texts of Latin-1 as %s', (pattern) => {
    const portable = new RegExp(portablePattern(pattern))
    const original = new RegExp(pattern, 'u')
    const texts = latin.flatMap((character) => [
      character,
      `a${character}`,
      `${character}a`,
      `a${character}a`,
    ])
    expect(texts.filter((text) => portable.test(text) !== original.test(text))).toEqual([])
  })

  it.each(patterns)('accepts the letters of other scripts, as does %s', (pattern) => {
    expect('墨кириллица𠮷').toMatch(new RegExp(portablePattern(pattern)))
  })

  it('leaves patterns without Unicode properties alone', () => {
    const pattern = String.raw`^[a-z\]]+\\p$`
    expect(portablePattern(pattern)).toBe(pattern)
  })

  it('cannot replace a property outside of brackets', () => {
    expect(() => portablePattern(String.raw`^\p{L}$`)).toThrow('outside of brackets')
  })
})
