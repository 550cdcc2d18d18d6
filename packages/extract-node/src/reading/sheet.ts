/** Collects the text that a reader finds. */
export interface Sheet {
  /**
   * Whether it is full or the time is up. The reader then stops, and the text so far is the result.
   */
  isFull(): boolean
  write(text: string): void
  /** Whether it contains only whitespace. */
  isBlank(): boolean
  text(): string
}

/**
 * Capacity in characters: more than is stored of a text, because whitespace and control characters
 * are removed later.
 */
const room = 1.25 * 1024 * 1024

/** Creates an empty sheet with a time limit in milliseconds. */
export function newSheet(milliseconds: number): Sheet {
  const end = performance.now() + milliseconds
  const written: string[] = []
  let length = 0
  let isBlank = true
  return {
    isFull: () => length >= room || performance.now() > end,
    write(text) {
      if (length >= room || text === '') return
      written.push(text)
      length += text.length
      isBlank &&= text.trim() === ''
    },
    isBlank: () => isBlank,
    text: () => written.join('').slice(0, room),
  }
}
