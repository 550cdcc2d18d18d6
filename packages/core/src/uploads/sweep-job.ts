import type { Doing, JobHandler } from '../call/job-handler.ts'
import type { Job, JsonObject } from '../ports/index.ts'
import { sweepUploads } from './sweep.ts'

/** The job that removes uploads which nobody goes on with. */
export const uploadSweep: ReadonlyMap<string, JobHandler> = new Map([
  ['uploads.sweep', { places: 1, each: 1, run: sweep }],
])

async function sweep(_job: Job, { call }: Doing): Promise<JsonObject> {
  const uploads = await sweepUploads(call.environment)
  if (uploads > 0) call.environment.log.write('info', 'uploads.swept', { uploads })
  return { uploads }
}
