import { type EntityKind, type SearchDocument, wordsOf } from '@quire/core/ports'
import { smallAscii } from '../query/small-ascii.ts'

/**
 * Where the words of an index stand, each said in front of every word: all words of one branch and kind lie beside each other, and no
 * list of rows is longer than what is sought among. Wide enough for 60 million branches.
 */
export function scopeOf(branch: number, kind: EntityKind): string {
  return branch.toString(36).padStart(BRANCH_WIDTH, '0') + kindLetters[kind]
}

/** `n` a word of the name, `a` a word anywhere, `c` a category; no row holds one of `b`, which comes after `a`. */
export type TokenClass = 'n' | 'a' | 'b' | 'c'

/** A word as the index keeps it. */
export function tokenOf(scope: string, where: TokenClass, word: string): string {
  return scope + where + word
}

/** A category as a word. */
export function categoryToken(scope: string, id: string): string {
  return tokenOf(scope, 'c', smallAscii(id.replaceAll(/[^A-Z0-9]/g, beyondWords)))
}

/** What of a document is words, with the text of its file. */
export type Worded = Pick<SearchDocument, 'name' | 'passages' | 'categories'> & {
  readonly text: string | null
}

/** Every word of a document, as the index keeps them. Between two texts stands a word that nobody seeks: no phrase goes across. */
export function tokensOf(scope: string, { name, passages, categories, text }: Worded): string {
  const named = wordsOf(name)
  const texts = [named, ...passages.map((passage) => wordsOf(passage.text)), wordsOf(text ?? '')]
  const anywhere = texts.filter((words) => words.length > 0).map((words) => written(scope, 'a', words))
  const ids = categories.map((id) => categoryToken(scope, id))
  return [written(scope, 'n', named), ...ids, anywhere.join(BETWEEN)].join(' ')
}

const BRANCH_WIDTH = 5

/** The letters of a token before its word. */
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

/** Ids are capitals and digits but for a sign or two. Anything else must not be taken for another letter: it gets one of the private ones. */
function beyondWords(sign: string): string {
  const code = sign.charCodeAt(0)
  return code < 0x80 ? String.fromCharCode(PRIVATE_LETTERS + code) : sign
}

const PRIVATE_LETTERS = 0xe000

function written(scope: string, where: TokenClass, words: readonly string[]): string {
  const before = tokenOf(scope, where, '')
  return words.length === 0 ? '' : before + words.join(` ${before}`)
}
