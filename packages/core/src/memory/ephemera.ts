import type { EphemeraWriter } from '../ports/index.ts'
import type { State } from './state.ts'

/** The expiring values of a state. */
export function memoryEphemera(state: State): EphemeraWriter {
  const values = state.table('ephemera')
  const alive = (key: string, now: number) => {
    const found = values.get(key)
    return found && found.expires > now ? found : null
  }
  return {
    get: async (key, now) => alive(key, now)?.value ?? null,
    put: async (key, value, expires) => values.set(key, { value, expires }),
    take: async (key, now) => {
      const found = alive(key, now)
      values.delete(key)
      return found?.value ?? null
    },
    increment: async (key, now, expires) => {
      const found = alive(key, now)
      const count = Number(found?.value ?? 0) + 1
      values.set(key, { value: String(count), expires: found?.expires ?? expires })
      return count
    },
    sweep: async (now, limit) => {
      const expired = [...values.entries()].filter(([, { expires }]) => expires <= now).slice(0, limit)
      for (const [key] of expired) values.delete(key)
      return expired.length
    },
  }
}
