/** Lets so many at a time do something with one thing, the others in the order in which they came. */
export interface Turns {
  /** Whose turn it is may begin, and calls what this resolves to at its end. Errors: the reason of the signal; then it has no turn. */
  enter(key: string, signal: AbortSignal): Promise<() => void>
}

interface Place {
  busy: number
  readonly waiting: Set<() => void>
}

/** Turns of as many at a time as `most`, for each key. A key that nobody uses takes no memory. */
export function createTurns(most: number): Turns {
  const places = new Map<string, Place>()
  const leave = (key: string, place: Place) => {
    const [next] = place.waiting
    if (next) return next()
    place.busy -= 1
    if (place.busy === 0) places.delete(key)
  }
  return {
    async enter(key, signal) {
      signal.throwIfAborted()
      const place = places.get(key) ?? { busy: 0, waiting: new Set() }
      places.set(key, place)
      if (place.busy < most) place.busy += 1
      else await turnOf(place, signal)
      return () => leave(key, place)
    },
  }
}

/**
 * Resolves when somebody hands on its place, so that nobody who comes later gets it in between. Who gives up is gone at once: a place that
 * was handed to it would be lost.
 */
async function turnOf({ waiting }: Place, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const giveUp = () => {
    waiting.delete(take)
    reject(signal.reason)
  }
  const take = () => {
    waiting.delete(take)
    signal.removeEventListener('abort', giveUp)
    resolve()
  }
  waiting.add(take)
  signal.addEventListener('abort', giveUp, { once: true })
  await promise
}
