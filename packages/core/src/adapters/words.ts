import type { TextQuery, TextTerm } from '../ports/text.ts'

/**
 * The words of a text, in order, as every store indexes and searches them: lower case, without
 * accents.
 * Scripts that separate words by spaces yield runs of letters and digits. In other scripts
 * (Chinese, Japanese, Thai…) each pair of neighboring characters is a word, and so is the last
 * character of a run alone. So every part of a run is a sequence of adjacent words.
 */
export function wordsOf(text: string): string[] {
  const folded = foldText(text).slice(0, longestFolded)
  if (ascii.test(folded)) return asciiRunsOf(folded).map(cut)
  return runsOf(folded).flatMap((run) => (isUnspaced(run) ? pairsOf(run) : [cut(run)]))
}

/** A word of a folded text (see `foldText`) with its position. */
export interface WordPosition {
  readonly word: string
  readonly start: number
  readonly end: number
  /** Whether its script does not separate words; then neighboring words overlap. */
  readonly isUnspaced: boolean
}

/** The words that `wordsOf` returns, each with its position in the folded text. */
export function wordPositionsOf(folded: string): WordPosition[] {
  return [...folded.matchAll(runs)].flatMap(({ 0: run, index }) => {
    if (!isWord(run)) return []
    if (isUnspaced(run)) return pairPositions(run, index)
    return [{ word: cut(run), start: index, end: index + run.length, isUnspaced: false }]
  })
}

/**
 * Parses the search text of a user. Each word must occur, as a word or as a prefix of one; words in
 * double quotes must be adjacent. A single letter must be a whole word, because it is the prefix of
 * too many. The first 32 words count: comparing the positions of more takes longer in a long text.
 */
export function textQueryOf(text: string): TextQuery {
  const parts = text.split('"')
  const terms = parts.flatMap((part, index) => (index % 2 === 1 ? phraseOf(part) : looseTerms(part)))
  let left = mostWords
  return {
    terms: terms.flatMap((term) => {
      const words = term.words.slice(0, left)
      left -= words.length
      if (words.length === 0) return []
      return [{ ...term, words, prefix: term.prefix && words.length === term.words.length }]
    }),
  }
}

/**
 * Whether the words of a term are at the position `at` of a sequence of words. Called for every
 * word of a text.
 */
export function standsAt(row: readonly string[], at: number, { words, prefix }: TextTerm): boolean {
  const last = words.length - 1
  for (let index = 0; index <= last; index++) {
    const found = row[at + index]
    const word = words[index]
    if (found === word) continue
    if (!prefix || index < last || word === undefined || found?.startsWith(word) !== true) return false
  }
  return true
}

/** Whether a sequence of words contains those of a term. */
export function meets(row: readonly string[], term: TextTerm): boolean {
  return row.some((_, at) => standsAt(row, at, term))
}

/**
 * Lower case, without accents, compatibility forms replaced by the usual ones. Marks that form
 * letters of Indic scripts and kana stay.
 */
export function foldText(text: string): string {
  const small = text.toLowerCase()
  if (ascii.test(small)) return small
  return withFewAccents(small)
    .normalize('NFKD')
    .replace(accents, '')
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .replaceAll('ı', 'i')
}

/**
 * Removes the marks after the thirtieth on one letter: sorting them costs the square of their
 * number (UAX #15, stream-safe text).
 */
export function withFewAccents(text: string): string {
  return text.replace(manyAccents, '$1')
}

const manyAccents = /(\p{M}{30})\p{M}+/gu

// More would make one search as expensive as many.
const mostWords = 32

// One letter may decompose into eighteen. Only the beginning of a longer text counts. At twice this
// value, saving such a text blocks for twice as long.
const longestFolded = 2_000_000

/** Letters of a word that count: longer words are cut, in texts and in queries alike. */
export const longestWord = 64

const ascii = /^[\0-\x7f]*$/

// Latin, Greek and Cyrillic accents, Hebrew points, Arabic vowel signs.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc]+/gu

const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々'

const runs = new RegExp(`[${unspaced}]+|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}])+`, 'gu')

// The same for ASCII, in a third of the time.
const asciiRuns = /[0-9a-z]+/g

const isUnspacedRun = new RegExp(`^[${unspaced}]`, 'u')

function asciiRunsOf(folded: string): readonly string[] {
  return folded.match(asciiRuns) ?? []
}

function runsOf(folded: string): readonly string[] {
  if (ascii.test(folded)) return asciiRunsOf(folded)
  const found: readonly string[] = folded.match(runs) ?? []
  return found.filter(isWord)
}

function isWord(run: string): boolean {
  return /[\p{L}\p{N}]/u.test(run)
}

function isUnspaced(run: string): boolean {
  return run.charCodeAt(0) > 0x7f && isUnspacedRun.test(run)
}

function pairsOf(run: string): string[] {
  const letters = Array.from(run)
  return letters.map((letter, index) => letter + (letters[index + 1] ?? ''))
}

function pairPositions(run: string, at: number): WordPosition[] {
  let start = at
  return pairsOf(run).map((word) => {
    const position = { word, start, end: start + word.length, isUnspaced: true }
    start += String.fromCodePoint(word.codePointAt(0) ?? 0).length
    return position
  })
}

function cut(word: string): string {
  return word.length <= longestWord ? word : Array.from(word).slice(0, longestWord).join('')
}

function looseTerms(text: string): TextTerm[] {
  return runsOf(foldText(text)).map((run) => {
    if (isUnspaced(run)) return unspacedTerm(run)
    const word = cut(run)
    return { words: [word], prefix: Array.from(word).length > 1, categories: [] }
  })
}

/**
 * A run of an unspaced script matches anywhere: its pairs are adjacent. A single character is the
 * prefix of a pair.
 */
function unspacedTerm(run: string): TextTerm {
  const pairs = pairsOf(run)
  return pairs.length === 1
    ? { words: pairs, prefix: true, categories: [] }
    : { words: pairs.slice(0, -1), prefix: false, categories: [] }
}

/**
 * The last word of a phrase must match whole. The last character of an unspaced run is already in
 * the pair before it.
 */
function phraseOf(text: string): TextTerm[] {
  const words = wordsOf(text)
  const last = words.at(-1)
  if (last === undefined) return []
  const isLetter = isUnspaced(last) && Array.from(last).length === 1
  const isInPair = isLetter && words.at(-2)?.endsWith(last) === true
  return [{ words: isInPair ? words.slice(0, -1) : words, prefix: isLetter && !isInPair, categories: [] }]
}
