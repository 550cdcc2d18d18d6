/** Work that is done one at a time for each name, in this process. */
export interface Locks {
  /** Does work once all that was asked for before with the same name has ended. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Nothing is under way yet. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async alone(name, work) {
      const before = last.get(name) ?? Promise.resolve()
      const context = before.then(work)
      const ended = context.catch(() => undefined)
      last.set(name, ended)
      try {
        return await context
      } finally {
        if (last.get(name) === ended) last.delete(name)
      }
    },
  }
}
