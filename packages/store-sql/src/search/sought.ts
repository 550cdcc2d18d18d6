import type { TextQuery, TextTerm } from '@quire/core/ports'
import { categoryToken, tokenOf } from './tokens.ts'

/** What is sought in an index of words, for a dialect to write down. */
export type Sought =
  /** Words that stand next to each other; the last may be the beginning of one. At least one. */
  | { readonly row: readonly string[]; readonly prefix: boolean }
  /** At least one each. */
  | { readonly all: readonly Sought[] }
  | { readonly any: readonly Sought[] }
  | { readonly one: Sought; readonly but: Sought }

/** What meets every term, somewhere. */
export function anywhere(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'a', prefix: term.prefix }))
}

/** The tiers in which something may stand, in order. One that would be as the one before it is left out. */
export function tiersOf({ terms }: TextQuery): readonly number[] {
  return terms.some(({ prefix }) => prefix) ? [0, 1, 2, 3] : [0, 2]
}

/** What is in a tier (see `SearchPage`) and in none before it. */
export function tierOf(scope: string, text: TextQuery, tier: number): Sought {
  const words = all(text, (term) => met(scope, term, { where: 'n', prefix: false }))
  if (tier === 0) return words
  if (tier === 1) return { one: named(scope, text), but: words }
  if (tier === 2) return { one: whole(scope, text), but: named(scope, text) }
  return { one: anywhere(scope, text), but: { any: [named(scope, text), whole(scope, text)] } }
}

/** What meets every term in the name. */
export function named(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'n', prefix: term.prefix }))
}

/** What meets every term somewhere by whole words. */
export function whole(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'a', prefix: false }))
}

function all({ terms }: TextQuery, meet: (term: TextTerm) => Sought): Sought {
  return { all: terms.map(meet) }
}

interface Scope {
  readonly where: 'n' | 'a'
  readonly prefix: boolean
}

/** What meets a term: its words in a row, or one of its categories, which are no part of the name. */
function met(scope: string, { words, categories }: TextTerm, { where, prefix }: Scope): Sought {
  const row = words.map((word) => tokenOf(scope, where, word))
  const tokens = where === 'a' ? categories.map((id) => categoryToken(scope, id)) : []
  const ways: Sought[] = tokens.map((token) => ({ row: [token], prefix: false }))
  if (row.length > 0) ways.unshift({ row, prefix })
  return ways.length === 0 ? { row: [tokenOf(scope, 'b', '')], prefix: false } : { any: ways }
}
