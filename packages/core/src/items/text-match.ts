import { wordsOf, type TextTerm } from '../ports/index.ts'

/** Whether the words of a term stand next to each other in a row of words, from the place `at` on. Called at every word of a text. */
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

/** Whether a row of words holds those of a term. */
export function meets(row: readonly string[], term: TextTerm): boolean {
  return row.some((_, at) => standsAt(row, at, term))
}

/** Whether a text does. */
export function isMetBy(text: string, term: TextTerm): boolean {
  return meets(wordsOf(text), term)
}
