import { describe, expect, it } from 'vitest'
import { matchText } from './match-text.ts'

describe('the FTS5 query of a search', () => {
  it('quotes words and marks prefixes', () => {
    const phrase = { row: ['quick', 'fox'], prefix: false }
    const either = {
      any: [
        { row: ['and'], prefix: true },
        { row: ['or'], prefix: false },
      ],
    }
    expect(matchText({ all: [phrase, either] })).toBe('("quick fox" AND ("and"* OR "or"))')
    const but = { one: { any: [phrase] }, but: { row: ['not'], prefix: false } }
    expect(matchText(but)).toBe('("quick fox" NOT "not")')
  })

  it('escapes quotes', () => {
    expect(matchText({ row: ['a" OR "b'], prefix: true })).toBe('"a"" OR ""b"*')
  })
})
