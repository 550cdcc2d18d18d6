/** The ids of deliveries that a receiver has processed. */
export interface RememberedIds {
  /** Remembers an id. False if it was already known. */
  add(id: string): boolean
  /** Forgets the id of a delivery that could not be processed. */
  delete(id: string): void
}

// A signature is valid for five minutes before and after its timestamp. Older deliveries are
// rejected anyway.
const storedMs = 10 * 60 * 1000

/**
 * Remembers ids for as long as they could be repeated, in memory. A receiver with several processes
 * should store them in its database.
 */
export function rememberIds(now: () => number = Date.now): RememberedIds {
  const ids = new Map<string, number>()
  return {
    add(id) {
      // A Map preserves insertion order, so the oldest ids are first.
      for (const [old, at] of ids) {
        if (at > now() - storedMs) break
        ids.delete(old)
      }
      if (ids.has(id)) return false
      ids.set(id, now())
      return true
    },
    delete: (id) => void ids.delete(id),
  }
}
