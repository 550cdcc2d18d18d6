import type { Call } from '../../engine/call.ts'
import type { JobHandler } from '../../engine/job-handler.ts'
import type { Job, JsonObject } from '../../ports/index.ts'
import { repositoryOfJob } from './name.ts'

/** The job after which what is computed from the content types of a repository is computed anew. */
export const graphReload: ReadonlyMap<string, JobHandler> = new Map([
  ['graph.reload', { slots: 1, each: 1, run: (job, { call }) => reload(call, job) }],
])

/**
 * Changes a record that all memos rest on (see `StructureRecord`): whatever was computed is dropped here at once, on every other server within a
 * second, and computed anew when it is next asked for. No request is dropped meanwhile.
 */
async function reload(call: Call, job: Job): Promise<JsonObject> {
  return call.write(async (call) => {
    const { id, name } = await repositoryOfJob(call, job)
    const found = await call.store.records.get('structure', id)
    await call.store.records.put('structure', { id }, found?.revision ?? 0)
    return { repository: name, message: 'What is computed from its content types is computed anew.' }
  })
}
