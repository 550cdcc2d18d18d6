import type { InputMakers } from './input-makers.ts'

/** Requests about the service as a whole, and about search indexes. */
export const admin: InputMakers<'admin'> = {
  indexes: () => ({ limit: 3 }),
  index: ({ configId }) => ({ id: configId }),
  rebuildIndex: ({ configId }) => ({ id: configId }),
  process: ({ configId }) => ({ id: configId, reloadGraph: true }),
  generateKey: ({ word }) => ({ name: word('Access'), type: 'openai', apiKey: 'an unused key' }),
  settings: () => ({}),
  updateSettings: () => ({ jobsKeptDays: 30 }),
  health: () => ({}),
}
