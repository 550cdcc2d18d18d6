import type { Environment } from '../../engine/environment.ts'
import { isKnown } from './state.ts'
import type { JobContext, JobHandler } from '../../engine/job-handler.ts'
import type { Job, JsonObject } from '../../ports/index.ts'

// A partial blob is begun before the row that speaks of it.
const partialGraceMs = 60 * 60 * 1000

/** Removes the bytes of uploads that expired or were never told of. Answers how many. */
export async function sweepUploads({
  blobs,
  clock,
  store,
}: Pick<Environment, 'blobs' | 'clock' | 'store'>): Promise<number> {
  const now = clock.now()
  let count = 0
  for await (const { id, writtenDate } of blobs.partials.list()) {
    if (writtenDate > now - partialGraceMs || (await isKnown(store.ephemera, id, now))) continue
    await blobs.partials.discard(id)
    count += 1
  }
  return count
}

/** The job that removes uploads which nobody goes on with. */
export const uploadSweep: ReadonlyMap<string, JobHandler> = new Map([
  ['uploads.sweep', { slots: 1, each: 1, run: sweep }],
])

async function sweep(_job: Job, { call }: JobContext): Promise<JsonObject> {
  const uploads = await sweepUploads(call.environment)
  if (uploads > 0) call.environment.log.write('info', 'uploads.swept', { uploads })
  return { uploads }
}
