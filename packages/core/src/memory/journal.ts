import type { JournalWriter } from '../ports/index.ts'
import type { State } from './state.ts'

/** The journal of a state. */
export function memoryJournal(state: State): JournalWriter {
  return {
    read: async ({ after, limit, repositoryId, entityId }) =>
      [...state.table('journal').values()]
        .filter((row) => row.sequence > after)
        .filter((row) => repositoryId === undefined || row.repositoryId === repositoryId)
        .filter((row) => entityId === undefined || row.entityId === entityId)
        .slice(0, limit),
    record: async (entry) => {
      const counters = state.table('counters')
      const sequence = (counters.get('journal') ?? 0) + 1
      counters.set('journal', sequence)
      state.table('journal').set(String(sequence), { ...entry, sequence })
    },
  }
}
