/** The words of a text: runs of letters and digits, without case and accents. */
export function wordsOf(text: string): readonly string[] {
  const plain = text.toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
  return plain.match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Whether each of `starts` begins some word. No starts limit nothing. */
export function holdsWords(words: ReadonlySet<string>, starts: readonly string[]): boolean {
  return starts.every((start) => words.has(start) || beginsOne(words, start))
}

function beginsOne(words: ReadonlySet<string>, start: string): boolean {
  for (const word of words) if (word.startsWith(start)) return true
  return false
}
