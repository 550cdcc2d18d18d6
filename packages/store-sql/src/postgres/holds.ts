import { and, not, or } from '../query/logic.ts'
import { type SqlPart, apply, fixed, piece, value } from '../query/sql-part.ts'
import { sql } from 'drizzle-orm'
import type { Sought } from '../search/sought.ts'

/**
 * Whether a row of the index holds what is sought. The index knows which words a row has and not where: what must stand in a row is looked for in
 * the words as they were written. A vector of PostgreSQL keeps 256 places of a word and none beyond 16 383, so that a phrase late in a long
 * text would never be found by it.
 */
export function holds(sought: Sought): SqlPart {
  const found = hasWords(wordsSought(sought))
  return hasRow(sought) ? and([found, holdsExactly(sought)]) : found
}

/** What is sought as a `tsquery` that every row holds which holds it: of words in a row, that all are there. */
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

/** A chain of thousands would be taken apart by as deep a recursion. */
function joined(parts: readonly string[], operator: string): string {
  const [only = ''] = parts
  if (parts.length <= 1) return only
  const middle = Math.ceil(parts.length / 2)
  return `(${joined(parts.slice(0, middle), operator)}${operator}${joined(parts.slice(middle), operator)})`
}

/** As PostgreSQL reads a word whatever it is of. */
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

/** Words are parted by a blank each. */
function hasInRow({ row, prefix }: { readonly row: readonly string[]; readonly prefix: boolean }): SqlPart {
  return piece`strpos(' ' || ${words} || ' ', ${value(` ${row.join(' ')}${prefix ? '' : ' '}`)}) > 0`
}
