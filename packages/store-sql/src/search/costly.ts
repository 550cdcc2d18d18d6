/**
 * How long an answer is reused, as a multiple of the time that it took to compute. At half, a
 * caller that asks every second keeps a thread busy all the time.
 */
const TIMES = 10

/**
 * Answers that take less than this are computed on each call, so a caller sees its own last write.
 */
const CHEAP_MS = 1000

interface Answer<T> {
  readonly found: Promise<T>
  /** When the answer expires; absent while it is being computed. */
  until?: number
}

/**
 * Wraps `find` with a cache by key. Concurrent callers share one run. An answer that took long to
 * compute is reused for ten times as long.
 */
export function askingSeldom<T>(
  find: (key: string) => Promise<T>,
  { cheapMs = CHEAP_MS }: { cheapMs?: number } = {},
): (key: string) => Promise<T> {
  const answers = new Map<string, Answer<T>>()
  return (key) => {
    const known = answers.get(key)
    if (known && (known.until ?? Infinity) > performance.now()) return known.found
    const started = performance.now()
    const answer: Answer<T> = { found: find(key) }
    answers.set(key, answer)
    const complete = (isStored: boolean) => {
      const took = performance.now() - started
      if (isStored && took > cheapMs) answer.until = performance.now() + took * TIMES
      else answers.delete(key)
    }
    answer.found.then(
      () => complete(true),
      () => complete(false),
    )
    return answer.found
  }
}
