import type { TextQuery, TextTerm } from '@quire/core/ports'
import { categoryToken, localePrefix, tokenOf } from './tokens.ts'

/** A condition on the words of a row. Each dialect translates it to SQL. */
export type Sought =
  /** Words next to each other, at least one; with `prefix`, the last one is a prefix. */
  | { readonly row: readonly string[]; readonly prefix: boolean }
  /** At least one condition. */
  | { readonly all: readonly Sought[] }
  | { readonly any: readonly Sought[] }
  | { readonly one: Sought; readonly but: Sought }

/** Matches every term, anywhere in the document. */
export function anywhere(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'a', prefix: term.prefix, locales: text.locales }))
}

/** The tiers to search, in order. A tier that would equal the one before it is left out. */
export function tiersOf({ terms }: TextQuery): readonly number[] {
  return terms.some(({ prefix }) => prefix) ? [0, 1, 2, 3] : [0, 2]
}

/** The matches of a tier (see `SearchPage`), without those of earlier tiers. */
export function tierOf(scope: string, text: TextQuery, tier: number): Sought {
  const words = all(text, (term) => met(scope, term, { where: 'n', prefix: false }))
  if (tier === 0) return words
  if (tier === 1) return { one: named(scope, text), but: words }
  if (tier === 2) return { one: whole(scope, text), but: named(scope, text) }
  return { one: anywhere(scope, text), but: { any: [named(scope, text), whole(scope, text)] } }
}

/** Matches every term in the name. */
export function named(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'n', prefix: term.prefix }))
}

/** Matches every term anywhere, by whole words. */
export function whole(scope: string, text: TextQuery): Sought {
  return all(text, (term) => met(scope, term, { where: 'a', prefix: false, locales: text.locales }))
}

function all({ terms }: TextQuery, meet: (term: TextTerm) => Sought): Sought {
  return { all: terms.map(meet) }
}

interface Scope {
  readonly where: 'n' | 'a'
  readonly prefix: boolean
  /** The locales whose passages count. Default: none. */
  readonly locales?: readonly string[] | undefined
}

/**
 * Matches a term: its words in a row, or one of its categories. Categories are not part of the
 * name.
 */
function met(scope: string, { words, categories }: TextTerm, { where, prefix, locales = [] }: Scope): Sought {
  const row = words.map((word) => tokenOf(scope, where, word))
  const tokens = where === 'a' ? categories.map((id) => categoryToken(scope, id)) : []
  const ways: Sought[] = tokens.map((token) => ({ row: [token], prefix: false }))
  if (row.length > 0) {
    const localized = locales.map((locale) => words.map((word) => localePrefix(scope, locale) + word))
    ways.unshift(...[row, ...localized].map((one) => ({ row: one, prefix })))
  }
  return ways.length === 0 ? { row: [tokenOf(scope, 'b', '')], prefix: false } : { any: ways }
}
