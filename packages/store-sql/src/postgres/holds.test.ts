import { describe, expect, it } from 'vitest'
import { compileQuery } from '../compiled-query.ts'
import { toQuery, toValues } from '../query/sql-part.ts'
import type { Sought } from '../search/sought.ts'
import { postgresDialect } from './dialect.ts'
import { holds, wordsSought } from './holds.ts'

const phrase: Sought = { row: ['quick', 'fox'], prefix: false }
const word = (of: string, prefix = false): Sought => ({ row: [of], prefix })

function compiled(sought: Sought) {
  const condition = holds(sought)
  const { text, bind } = compileQuery(postgresDialect, toQuery(condition))
  return { text, values: bind(toValues(condition)) }
}

describe('the tsquery of a search', () => {
  it('quotes words and marks prefixes', () => {
    const either: Sought = { any: [word('and', true), word('or')] }
    expect(wordsSought({ all: [phrase, either] })).toBe("(('quick' & 'fox') & ('and':* | 'or'))")
    expect(wordsSought({ one: either, but: word('not') })).toBe("(('and':* | 'or') & !'not')")
  })

  it('excludes no row that has the words of an excluded phrase in another order', () => {
    expect(wordsSought({ one: word('a'), but: phrase })).toBe("'a'")
  })

  it('escapes quotes and backslashes', () => {
    expect(wordsSought(word(String.raw`a' | \'b`, true))).toBe(String.raw`'a'' | \\''b':*`)
  })
})

describe('the condition of a search', () => {
  it('is a single index look-up when there is no phrase', () => {
    const { text, values } = compiled({ all: [word('a'), word('b', true)] })
    expect(text).toBe('search.vector @@ $1::tsquery')
    expect(values).toEqual(["('a' & 'b':*)"])
  })

  it('looks for phrases in the stored words', () => {
    const { text, values } = compiled({ one: { row: ['a', 'b'], prefix: true }, but: phrase })
    expect(text.match(/strpos/g)).toHaveLength(2)
    expect(values).toEqual(["('a' & 'b':*)", ' a b', ' quick fox '])
  })
})
