/** Lines that go out together. */
export interface Batch {
  readonly write: (branch: string) => void
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
  handOver: (branches: string) => void,
): Batch {
  let held = ''
  let timer: NodeJS.Timeout | undefined
  const take = () => {
    clearTimeout(timer)
    const branches = held
    held = ''
    return branches
  }
  const release = () => {
    const branches = take()
    if (branches !== '') handOver(branches)
  }
  const write = (branch: string) => {
    if (held === '') timer = setTimeout(release, longestMs).unref()
    held += branch
    if (held.length >= characters) release()
  }
  return { write, release, take }
}
