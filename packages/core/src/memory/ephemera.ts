import type { EphemeraWriter } from '../ports/index.ts'
import type { Ephemeral, OpenState, State } from './state.ts'

/** All expiring values are in one scope. */
const scope = ''

/** The expiring values of a state. */
export function memoryEphemera(open: OpenState): EphemeraWriter {
  return {
    get: async (key, now) => findAlive(open(), key, now)?.value ?? null,
    put: async (key, value, expires) => open().ephemera.set(scope, key, { value, expires }),
    take: async (key, now) => {
      const state = open()
      const found = findAlive(state, key, now)
      state.ephemera.delete(scope, key)
      return found?.value ?? null
    },
    increment: async (key, now, expires) => {
      const state = open()
      const found = findAlive(state, key, now)
      const count = Number(found?.value ?? 0) + 1
      state.ephemera.set(scope, key, { value: String(count), expires: found?.expires ?? expires })
      return count
    },
    sweep: async (now, limit) => {
      const { ephemera } = open()
      const expired = [...ephemera.entries(scope)].filter(([, { expires }]) => expires <= now).slice(0, limit)
      for (const [key] of expired) ephemera.delete(scope, key)
      return expired.length
    },
  }
}

function findAlive(state: State, key: string, now: number): Ephemeral | null {
  const found = state.ephemera.get(scope, key)
  return found && found.expires > now ? found : null
}
