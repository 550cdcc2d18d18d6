/** Lines that are written together. */
export interface Batch {
  readonly write: (line: string) => void
  /** Hands over the buffered lines. */
  readonly release: () => void
  /** Returns the buffered lines and removes them from the batch. */
  readonly take: () => string
}

/** When lines are handed over. */
export interface BatchLimits {
  /** Once this many characters are buffered. */
  readonly characters: number
  /** At most this many milliseconds after the first line. */
  readonly longestMs: number
}

/** Buffers lines until there are enough of them. Its timer does not keep the process alive. */
export function createBatch(
  { characters, longestMs }: BatchLimits,
  handOver: (lines: string) => void,
): Batch {
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(timer)
    const lines = held
    held = ''
    return lines
  }
  const release = () => {
    const lines = take()
    if (lines !== '') handOver(lines)
  }
  const write = (line: string) => {
    if (held === '') timer = setTimeout(release, longestMs).unref()
    held += line
    if (held.length >= characters) release()
  }
  return { write, release, take }
}
