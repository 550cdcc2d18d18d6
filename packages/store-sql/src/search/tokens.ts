import type { EntityKind, SearchDocument } from '@quire/core/ports'
import { smallAscii } from '../query/small-ascii.ts'
import { prefixedWords } from './prefixed-words.ts'

/**
 * The scope of words in the index, which is prefixed to every word. All words of one branch and
 * kind are therefore adjacent, and no list of rows is longer than the scope that is searched. Wide
 * enough for 60 million branches.
 */
export function scopeOf(branch: number, kind: EntityKind): string {
  return branch.toString(36).padStart(BRANCH_WIDTH, '0') + kindLetters[kind]
}

/**
 * `n`: a word of the name; `a`: a word anywhere; `c`: a category. No row has a `b`, which only
 * marks the end of `a`.
 */
export type TokenClass = 'n' | 'a' | 'b' | 'c'

/** A word as the index stores it. */
export function tokenOf(scope: string, where: TokenClass, word: string): string {
  return scope + where + word
}

export function categoryToken(scope: string, id: string): string {
  return tokenOf(scope, 'c', smallAscii(id.replaceAll(/[^A-Z0-9]/g, beyondWords)))
}

/** The prefix of the words that a search in a locale finds, in the name of `Passage.locales`. */
export function localePrefix(scope: string, locale: string): string {
  return tokenOf(
    scope,
    'a',
    `${END_OF_LOCALE}${locale.replaceAll(/[^a-zA-Z0-9]/g, beyondWords)}${END_OF_LOCALE}`,
  )
}

/** The parts of a document that words are made of, with the text of its file. */
export type Worded = Pick<SearchDocument, 'name' | 'passages' | 'categories' | 'locales'> & {
  readonly text: string | null
}

/**
 * All words of a document, as the index stores them. A separator that nobody searches for stands
 * between two texts, so that no phrase spans both.
 */
export function tokensOf(scope: string, document: Worded): string {
  const { name, passages, categories, text } = document
  const shared = [name, ...passages.filter(({ locales }) => !locales).map((passage) => passage.text)]
  const anywhere = [
    ...sharedPrefixes(scope, document, shared).flatMap((prefix) =>
      shared.map((one) => prefixedWords(one, prefix)),
    ),
    prefixedWords(text ?? '', tokenOf(scope, 'a', '')),
    ...passages.flatMap(({ text: one, locales = [] }) =>
      locales.map((locale) => prefixedWords(one, localePrefix(scope, locale))),
    ),
  ]
  const ids = categories.map((id) => categoryToken(scope, id))
  const named = prefixedWords(name, tokenOf(scope, 'n', ''))
  return [named, ...ids, anywhere.filter((words) => words !== '').join(BETWEEN)].join(' ')
}

/**
 * Short texts that all locales share have their words under each of them, so that a search in one
 * finds nearly all documents in one list, and the list of shared words is nearly empty.
 */
function sharedPrefixes(scope: string, { locales = [] }: Worded, texts: readonly string[]): string[] {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  if (locales.length === 0 || length * locales.length > MOST_COPIED) return [tokenOf(scope, 'a', '')]
  return locales.map((locale) => localePrefix(scope, locale))
}

/** Characters that a document may have more in the index, so that its save does not take much longer. */
const MOST_COPIED = 8_000

const BRANCH_WIDTH = 5

/** The number of letters of a token before its word. */
export const TOKEN_WIDTH = BRANCH_WIDTH + 2

const BETWEEN = ' 0 '

const kindLetters: Readonly<Record<EntityKind, string>> = {
  category: 'c',
  folder: 'f',
  item: 'i',
  page: 'p',
  publication: 'b',
  section: 's',
  site: 'w',
  taxonomy: 't',
}

/**
 * Ids consist of capitals, digits and a sign or two. Other characters must not be mistaken for
 * letters, so they are mapped to private-use characters.
 */
function beyondWords(sign: string): string {
  const code = sign.charCodeAt(0)
  return code < 0x80 ? String.fromCharCode(PRIVATE_LETTERS + code) : sign
}

const PRIVATE_LETTERS = 0xe000

/** Stands around the name of a locale: no word begins with it. */
const END_OF_LOCALE = beyondWords(' ')
