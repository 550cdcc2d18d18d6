/** Where a reader writes down what it finds. */
export interface Sheet {
  /** Once it is full, or the time is up, a reader stops and what it has is the text. */
  isFull(): boolean
  write(text: string): void
  /** Whether there is nothing but blanks on it. */
  isBlank(): boolean
  text(): string
}

/** Characters of a sheet, as many as are looked at of a text: blanks and control characters are taken out of it. */
const room = 1.25 * 1024 * 1024

/** An empty sheet for so many milliseconds. */
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
