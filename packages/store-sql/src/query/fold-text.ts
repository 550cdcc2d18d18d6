/**
 * What full-text search compares: small letters without accents. The same rule folds what is stored and what is asked,
 * and the index takes every character above ASCII as part of a word, so no database's own Unicode tables decide.
 */
export function foldText(text: string): string {
  const small = text.toLowerCase()
  if (ascii.test(small)) return small
  return small.normalize('NFD').replace(marks, '').replace(foreignSeparators, ' ')
}

/** The words of a folded text, each once. */
export function wordsOf(text: string): readonly string[] {
  return [...new Set(foldText(text).match(words))]
}

/** ASCII letters made small, everything else as it is: how `contains` and `startsWith` compare. */
export function smallAscii(text: string): string {
  return text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

const ascii = /^[\0-\x7f]*$/
const marks = /\p{M}+/gu
const foreignSeparators = /[^\p{L}\p{N}\0-\x7f]+/gu
const words = /[0-9a-z\u0080-\u{10ffff}]+/gu
