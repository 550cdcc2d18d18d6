import { syncTexts } from '../assets/sync-texts.ts'
import type { Call } from '../call/call.ts'
import { JobFailed, type Doing, type JobHandler } from '../call/job-handler.ts'
import { pause } from '../call/pause.ts'
import type { IndexRebuildRecord, Job, JsonObject } from '../ports/index.ts'
import { repositoryOfJob } from '../repositories/of-job.ts'
import { beginRebuild, goOn, rebuildKey } from './begin-rebuild.ts'

/** The job that finds the texts of the files of a repository and makes its search index anew. */
export const docsSync: ReadonlyMap<string, JobHandler> = new Map([
  ['docs.sync', { places: 1, each: 1, run: syncDocs }],
])

async function syncDocs(job: Job, doing: Doing): Promise<JsonObject> {
  const { id } = await repositoryOfJob(doing.call, job)
  const texts = await syncTexts(doing.call, id, doing)
  const { done: indexed } = await rebuildIndex(id, doing)
  return { ...texts, indexed }
}

// Between looks at how far the rebuild is.
const lookMs = 1000

/** Makes the index anew, or waits for who does. A rebuild goes on when the job is cancelled. Errors: JobFailed when the rebuild did. */
async function rebuildIndex(repositoryId: string, doing: Doing): Promise<IndexRebuildRecord> {
  const { call, signal, progress } = doing
  let record = await call.transaction((tx) => beginRebuild(call, tx, repositoryId))
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
