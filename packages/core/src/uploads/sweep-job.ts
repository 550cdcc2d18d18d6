import type { JobHandler } from '../call/job-handler.ts'
import { sweepUploads } from './sweep.ts'

/** The job that removes uploads which nobody goes on with. */
export const uploadSweep: ReadonlyMap<string, JobHandler> = new Map([
  [
    'uploads.sweep',
    { places: 1, each: 1, run: async (_job, { call }) => ({ uploads: await sweepUploads(call.environment) }) },
  ],
])
