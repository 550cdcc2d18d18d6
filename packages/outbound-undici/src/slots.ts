/** Lets so many at a time do something with one thing, the others in the order in which they came. */
export interface Slots {
  /** Whose turn it is may begin, and calls what this resolves to at its end. Errors: the reason of the signal; then it has no turn. */
  enter(key: string, signal: AbortSignal): Promise<() => void>
}

interface Slot {
  busy: number
  readonly waiting: Set<() => void>
}

/** Turns of as many at a time as `most`, for each key. A key that nobody uses takes no memory. */
export function createSlots(most: number): Slots {
  const locations = new Map<string, Slot>()
  const leave = (key: string, location: Slot) => {
    const [next] = location.waiting
    if (next) return next()
    location.busy -= 1
    if (location.busy === 0) locations.delete(key)
  }
  return {
    async enter(key, signal) {
      signal.throwIfAborted()
      const location = locations.get(key) ?? { busy: 0, waiting: new Set() }
      locations.set(key, location)
      if (location.busy < most) location.busy += 1
      else await slotOf(location, signal)
      return () => leave(key, location)
    },
  }
}

/**
 * Resolves when somebody hands on its place, so that nobody who comes later gets it in between. Who gives up is gone at once: a place that
 * was handed to it would be lost.
 */
async function slotOf({ waiting }: Slot, signal: AbortSignal): Promise<void> {
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
