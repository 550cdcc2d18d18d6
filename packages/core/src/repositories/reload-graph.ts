import { within, type Call } from '../call/call.ts'
import type { JobHandler } from '../call/job-handler.ts'
import type { Job, JsonObject } from '../ports/index.ts'
import { repositoryOfJob } from './of-job.ts'

/** The job after which what is computed from the content types of a repository is computed anew. */
export const graphReload: ReadonlyMap<string, JobHandler> = new Map([
  ['graph.reload', { places: 1, each: 1, run: (job, { call }) => reload(call, job) }],
])

/**
 * Changes a record that all memos rest on (see `StructureRecord`): whatever was computed is dropped here at once, on every other server within a
 * second, and computed anew when it is next asked for. No request is dropped meanwhile.
 */
async function reload(call: Call, job: Job): Promise<JsonObject> {
  return call.transaction(async (tx) => {
    const { id, name } = await repositoryOfJob(within(call, tx), job)
    const found = await tx.records.get('structure', id)
    await tx.records.put('structure', { id }, found?.revision ?? 0)
    return { repository: name, message: 'What is computed from its content types is computed anew.' }
  })
}
