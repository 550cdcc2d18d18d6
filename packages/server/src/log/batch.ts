/** Lines that go out together. */
export interface Batch {
  readonly write: (line: string) => void
  /** Hands over what is held. */
  readonly release: () => void
  /** What is held, which is no longer the batch's to hand over. */
  readonly take: () => string
}

/** When lines are handed over. */
export interface BatchLimits {
  /** From this many characters on. */
  readonly characters: number
  /** Milliseconds after the first of them at the latest. */
  readonly longestMs: number
}

/** Holds lines back until there are enough of them. It keeps no process alive. */
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
