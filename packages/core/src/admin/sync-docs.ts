import { syncTexts } from '../files/assets/sync-texts.ts'
import type { Call } from '../engine/call.ts'
import { JobFailed, type JobContext, type JobHandler } from '../engine/job-handler.ts'
import { pause } from '../engine/event-loop.ts'
import type { Job, JsonObject } from '../ports/index.ts'
import type { IndexRebuildRecord } from './records.ts'
import { repositoryOfJob } from '../content/repositories/name.ts'
import { beginRebuild, goOn, rebuildKey } from './begin-rebuild.ts'

/** The job that finds the texts of the files of a repository and makes its search index anew. */
export const docsSync: ReadonlyMap<string, JobHandler> = new Map([
  ['docs.sync', { slots: 1, each: 1, adds: true, run: syncDocs }],
])

async function syncDocs(job: Job, context: JobContext): Promise<JsonObject> {
  const { id } = await repositoryOfJob(context.call, job)
  const texts = await syncTexts(context.call, id, context)
  const { done: indexed } = await rebuildIndex(id, context)
  return { ...texts, indexed }
}

// Between looks at how far the rebuild is.
const lookMs = 1000

/** Makes the index anew, or waits for whoever does. A rebuild goes on when the job is cancelled. Errors: JobFailed when the rebuild did. */
async function rebuildIndex(repositoryId: string, context: JobContext): Promise<IndexRebuildRecord> {
  const { call, signal, progress } = context
  let record = await call.write((call) => beginRebuild(call, repositoryId))
  const rebuilding = new AbortController()
  void goOn(call, record).finally(() => rebuilding.abort())
  // Looked at as soon as it ended here; where another service goes on with it, from time to time.
  let looks = AbortSignal.any([signal, rebuilding.signal])
  while (record.state === 'running') {
    await pause(lookMs, looks)
    signal.throwIfAborted()
    if (rebuilding.signal.aborted) looks = signal
    record = await lastRebuild(call, record)
    progress({ done: record.done, total: record.total, message: 'documents of the search index' })
  }
  if (record.state === 'succeeded') return record
  throw new JobFailed(record.error ?? 'The search index could not be made anew.')
}

/** How far a rebuild is. Errors: JobFailed when it is gone with its repository. */
async function lastRebuild({ store }: Call, { id, repositoryId }: IndexRebuildRecord) {
  const found = await store.records.find('indexRebuild', rebuildKey(repositoryId))
  // One that was begun after it has made anew what it was to make.
  if (found) return found.id === id ? found : { ...found, state: 'succeeded' as const }
  throw new JobFailed('The repository is gone.', { isFinal: true })
}
