/** In-process locks by name. */
export interface Locks {
  /**
   * Runs `work` after all earlier calls with the same name have finished, whether or not they
   * failed.
   */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>
}

/** Creates a set of locks, none of them held. */
export function createLocks(): Locks {
  const last = new Map<string, Promise<unknown>>()
  return {
    async alone(name, work) {
      const before = last.get(name) ?? Promise.resolve()
      const result = before.then(work)
      const ended = result.catch(() => undefined)
      last.set(name, ended)
      try {
        return await result
      } finally {
        if (last.get(name) === ended) last.delete(name)
      }
    },
  }
}
