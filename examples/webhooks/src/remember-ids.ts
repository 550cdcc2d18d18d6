/** Which deliveries a receiver has had. */
export interface RememberedIds {
  /** Remembers an id. False: it had it before. */
  add(id: string): boolean
  /** Forgets one that was not taken after all. */
  delete(id: string): void
}

// A signature is good for five minutes before and after its timestamp: what is older is refused for that, whatever its id.
const storedMs = 10 * 60 * 1000

/** Remembers ids for as long as they could come again. In memory: a receiver of several processes keeps them in its database. */
export function rememberIds(now: () => number = Date.now): RememberedIds {
  const ids = new Map<string, number>()
  return {
    add(id) {
      // A Map keeps the order in which ids came: the oldest are first.
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
