/** The words of a text: letters and digits, without case and accents. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  )
}

/** Whether every word of a query begins some word of a text. A query without words matches nothing. */
export function holdsWords(text: string, query: string): boolean {
  const wanted = wordsOf(query)
  const words = wordsOf(text)
  return wanted.length > 0 && wanted.every((start) => words.some((word) => word.startsWith(start)))
}
