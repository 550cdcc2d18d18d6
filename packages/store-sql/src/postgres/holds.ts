import { and, not, or } from '../query/logic.ts'
import { type SqlPart, apply, fixed, piece, value } from '../query/sql-part.ts'
import { sql } from 'drizzle-orm'
import type { Sought } from '../search/sought.ts'

/**
 * Whether a row of the search index matches. The index knows which words a row has, but not where.
 * Phrases are therefore also checked against the stored words. A PostgreSQL vector keeps at most
 * 256 positions of a word and none beyond 16 383, so positions could never find a phrase late in a
 * long text.
 */
export function holds(sought: Sought): SqlPart {
  const found = hasWords(wordsSought(sought))
  return hasRow(sought) ? and([found, holdsExactly(sought)]) : found
}

/** A `tsquery` that every match fulfils. For a phrase it only requires all words. */
export function wordsSought(sought: Sought): string {
  if ('all' in sought) return joined(sought.all.map(wordsSought), ' & ')
  if ('any' in sought) return joined(sought.any.map(wordsSought), ' | ')
  if ('one' in sought) {
    const one = wordsSought(sought.one)
    return hasRow(sought.but) ? one : `(${one} & !${wordsSought(sought.but)})`
  }
  const last = sought.row.length - 1
  const words = sought.row.map((word, index) => quoted(word) + (sought.prefix && index === last ? ':*' : ''))
  return joined(words, ' & ')
}

/** Nested in halves: parsing a chain of thousands would recurse just as deeply. */
function joined(parts: readonly string[], operator: string): string {
  const [only = ''] = parts
  if (parts.length <= 1) return only
  const middle = Math.ceil(parts.length / 2)
  return `(${joined(parts.slice(0, middle), operator)}${operator}${joined(parts.slice(middle), operator)})`
}

/** A word as a `tsquery` literal, whatever its characters. */
function quoted(word: string): string {
  return `'${word.replaceAll(/['\\]/g, '$&$&')}'`
}

function hasRow(sought: Sought): boolean {
  if ('all' in sought) return sought.all.some(hasRow)
  if ('any' in sought) return sought.any.some(hasRow)
  if ('one' in sought) return hasRow(sought.one) || hasRow(sought.but)
  return sought.row.length > 1
}

function holdsExactly(sought: Sought): SqlPart {
  if ('all' in sought) return and(sought.all.map(holdsExactly))
  if ('any' in sought) return or(sought.any.map(holdsExactly))
  if ('one' in sought) return and([holdsExactly(sought.one), not(holdsExactly(sought.but))])
  return sought.row.length > 1 ? hasInRow(sought) : hasWords(wordsSought(sought))
}

const vector = fixed('search.vector', sql`search.vector`)
const words = fixed('search.words', sql`search.words`)

function hasWords(query: string): SqlPart {
  return piece`${vector} @@ ${apply('tsquery', (of) => sql`${of}::tsquery`, value(query))}`
}

/** The stored words are separated by single spaces. */
function hasInRow({ row, prefix }: { readonly row: readonly string[]; readonly prefix: boolean }): SqlPart {
  return piece`strpos(' ' || ${words} || ' ', ${value(` ${row.join(' ')}${prefix ? '' : ' '}`)}) > 0`
}
