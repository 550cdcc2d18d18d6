import type { JobHandler } from '../call/job-handler.ts'
import { turnKeys } from './keys.ts'

/** The job that looks after the keys which sign tokens. */
export const keyTurning: ReadonlyMap<string, JobHandler> = new Map([
  ['keys.turn', { places: 1, each: 1, run: async (_job, { call }) => turnKeys(call.environment) }],
])
