/** How many times as long as it took to find out an answer stands. At half, who asks every second keeps a thread at work all the time. */
const TIMES = 10

/** What takes less is found out at each call: a caller who has just written sees it. */
const CHEAP_MS = 1000

interface Answer<T> {
  readonly found: Promise<T>
  /** Until when it stands; none while it is being found out. */
  until?: number
}

/** Asks `find` by key. Who asks while others wait waits with them; what took long to find out is told again for ten times as long. */
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
