/** Limits how many callers use a key at the same time. The others wait in the order of arrival. */
export interface Slots {
  /**
   * Waits for a slot. The caller must call the returned function when it is done. Errors: the
   * reason of the signal; then the caller has no slot.
   */
  enter(key: string, signal: AbortSignal): Promise<() => void>
}

interface KeySlots {
  busy: number
  readonly waiting: Set<() => void>
}

/** Creates slots for up to `most` callers per key. An unused key takes no memory. */
export function createSlots(most: number): Slots {
  const keys = new Map<string, KeySlots>()
  const leave = (key: string, slot: KeySlots) => {
    const [next] = slot.waiting
    if (next) return next()
    slot.busy -= 1
    if (slot.busy === 0) keys.delete(key)
  }
  return {
    async enter(key, signal) {
      signal.throwIfAborted()
      const slot = keys.get(key) ?? { busy: 0, waiting: new Set() }
      keys.set(key, slot)
      if (slot.busy < most) slot.busy += 1
      else await slotOf(slot, signal)
      return () => leave(key, slot)
    },
  }
}

/**
 * Resolves when a slot is handed over, so that a later caller cannot take it in between. A caller
 * that gives up is removed at once: a slot handed to it would be lost.
 */
async function slotOf({ waiting }: KeySlots, signal: AbortSignal): Promise<void> {
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
