import type { Environment } from '../engine/environment.ts'
import { yieldingToLoop, pause } from '../engine/event-loop.ts'
import type { IndexRebuildRecord } from './records.ts'
import type { Call, WriteCall } from '../engine/call.ts'
import { recordEvent } from '../engine/journal.ts'
import { syncTexts } from '../files/assets/file-text.ts'
import { JobFailed, type JobContext, type JobHandler } from '../engine/job.ts'
import { repositoryOfJob } from '../content/repositories/record.ts'
import { StoreConflict, StoreUnavailable, type Stored, type Job, type JsonObject } from '../ports/index.ts'

type Running = Stored<'indexRebuild'>
type Ports = Pick<Environment, 'store' | 'clock' | 'log'>

// Entities per transaction. Other writers wait about 65 ms for each (SQLite). At twice, they wait
// twice as long; at half, transactions take a third more of the time.
const batchSize = 1500

// Milliseconds between saves of the progress. Work after the last save is repeated after a crash.
const saveMs = 1000

/**
 * Continues the rebuild of a repository's index where it stopped, until it has ended or `isStopped`
 * returns true. If two processes do so, one of them gives up at its next save. Never throws: an
 * error is stored in the record and logged.
 */
export async function continueRebuild(
  ports: Ports,
  repositoryId: string,
  isStopped: () => boolean,
): Promise<void> {
  if (isStopped()) return
  try {
    // In a transaction, so that it comes after the one that began the rebuild.
    const found = await ports.store.transaction((tx) =>
      tx.records.find('indexRebuild', `repository:${repositoryId}`),
    )
    if (found?.state === 'running') await rebuild(ports, found, isStopped)
  } catch (error) {
    if (!isLeftToOthers(error)) await fail(ports, repositoryId, error)
  }
}

/**
 * Continues every rebuild that an earlier process did not finish, until `isStopped` returns true.
 * Never throws for a rebuild.
 */
export async function goOnRebuilds(ports: Ports, isStopped: () => boolean): Promise<void> {
  for (const { repositoryId, state } of await ports.store.records.list('indexRebuild'))
    if (state === 'running') await continueRebuild(ports, repositoryId, isStopped)
}

/**
 * Whether another process continues the rebuild or will do so, because it saved first or this
 * service stops; or the repository is gone.
 */
function isLeftToOthers(error: unknown): boolean {
  return error instanceof StoreConflict || (error instanceof StoreUnavailable && error.kind === 'closed')
}

async function rebuild(ports: Ports, begun: Running, isStopped: () => boolean): Promise<void> {
  const { store, clock } = ports
  const yieldToLoop = yieldingToLoop()
  let record = await withTotal(ports, begun)
  let { after, done } = record
  let saved = clock.now()
  for await (const part of store.indexes.reindex(record.repositoryId, { after, limit: batchSize })) {
    done += part.done
    if (part.next === null) return succeed(ports, { ...record, done })
    after = part.next
    if (clock.now() - saved >= saveMs) {
      record = await saveProgress(ports, { ...record, after, done })
      saved = clock.now()
    }
    if (isStopped()) break
    await yieldToLoop()
  }
  await saveProgress(ports, { ...record, after, done })
}

async function withTotal(ports: Ports, record: Running): Promise<Running> {
  if (record.total > 0) return record
  return saveProgress(ports, { ...record, total: await ports.store.indexes.size(record.repositoryId) })
}

/**
 * Saves the progress without waiting for the disk. If a power cut loses it, that part of the work
 * is repeated.
 */
function saveProgress({ store }: Ports, { revision, ...record }: Running): Promise<Running> {
  const total = Math.max(record.total, record.done)
  return store.transaction((tx) => tx.records.put('indexRebuild', { ...record, total }, revision), {
    synced: false,
  })
}

async function succeed({ store, clock }: Ports, { revision, ...record }: Running): Promise<void> {
  const now = clock.now()
  const ended: IndexRebuildRecord = { ...record, state: 'succeeded', total: record.done, finishedDate: now }
  await store.transaction(async (tx) => {
    await tx.records.put('indexRebuild', ended, revision)
    await tx.journal.record({ ...record.entry, date: now })
  })
}

async function fail({ store, clock, log }: Ports, repositoryId: string, error: unknown): Promise<void> {
  log.write('error', 'index.rebuild-failed', { repositoryId, message: String(error) })
  try {
    await store.transaction(async (tx) => {
      const found = await tx.records.find('indexRebuild', `repository:${repositoryId}`)
      if (found?.state !== 'running') return
      const { revision, ...record } = found
      const message =
        'The index could not be rebuilt. The log shows the cause. Searches still find what they found before.'
      const ended = { ...record, state: 'failed', finishedDate: clock.now(), error: message } as const
      await tx.records.put('indexRebuild', ended, revision)
    })
  } catch (error) {
    log.write('error', 'index.rebuild-failed', { repositoryId, message: String(error) })
  }
}

/** The record key of the last rebuild of a repository's index. */
export function rebuildKey(repositoryId: string): string {
  return `repository:${repositoryId}`
}

/**
 * Returns the running rebuild of a repository's index, or creates one. `runRebuild` then carries it
 * out.
 */
export async function beginRebuild(call: WriteCall, repositoryId: string): Promise<IndexRebuildRecord> {
  const last = await call.store.records.find('indexRebuild', rebuildKey(repositoryId))
  if (last?.state === 'running') return last
  if (last) await call.store.records.delete('indexRebuild', last.id, last.revision)
  return call.store.records.put('indexRebuild', newRebuild(call, repositoryId), 0)
}

/**
 * Carries out a rebuild in the background, or joins a call that does. Resolves when the rebuild has
 * ended in this process or continues in another one.
 */
export function runRebuild(
  { environment, shared, wiring }: Call,
  { id, repositoryId }: Pick<IndexRebuildRecord, 'id' | 'repositoryId'>,
): Promise<void> {
  // The key contains the id of the rebuild, so that a new rebuild does not join one that is just
  // ending.
  const flight = shared.join(`index.rebuild ${id}`, () =>
    continueRebuild(environment, repositoryId, shared.isStopping),
  )
  const announced = flight.finally(wiring.announce)
  shared.afterwards(announced)
  return announced
}

function newRebuild(call: Call, repositoryId: string): IndexRebuildRecord {
  return {
    id: call.environment.ids.next('JOB'),
    repositoryId,
    state: 'running',
    after: 0,
    done: 0,
    total: 0,
    startedDate: call.now,
    finishedDate: null,
    error: null,
    entry: recordEvent(call, 'INDEX_REBUILT', { kind: 'index', id: repositoryId, repositoryId }),
  }
}

/** The job that extracts the texts of a repository's files and rebuilds its search index. */
export const docsSync: ReadonlyMap<string, JobHandler> = new Map([
  ['docs.sync', { slots: 1, each: 1, adds: true, run: syncDocs }],
])

async function syncDocs(job: Job, context: JobContext): Promise<JsonObject> {
  const { id } = await repositoryOfJob(context.call, job)
  const texts = await syncTexts(context.call, id, context)
  const { done: indexed } = await rebuildIndex(id, context)
  return { ...texts, indexed }
}

// Milliseconds between reads of the progress.
const pollMs = 1000

/**
 * Rebuilds the index, or waits for a running rebuild. The rebuild continues if the job is
 * cancelled. Errors: JobFailed if the rebuild failed.
 */
async function rebuildIndex(repositoryId: string, context: JobContext): Promise<IndexRebuildRecord> {
  const { call, signal, progress } = context
  let record = await call.write((call) => beginRebuild(call, repositoryId))
  const rebuilding = new AbortController()
  void runRebuild(call, record).finally(() => rebuilding.abort())
  // Reads the progress as soon as the rebuild ends in this process, and polls if another process
  // continues it.
  let wakes = AbortSignal.any([signal, rebuilding.signal])
  while (record.state === 'running') {
    await pause(pollMs, wakes)
    signal.throwIfAborted()
    if (rebuilding.signal.aborted) wakes = signal
    record = await lastRebuild(call, record)
    progress({ done: record.done, total: record.total, message: 'documents of the search index' })
  }
  if (record.state === 'succeeded') return record
  throw new JobFailed(record.error ?? 'The search index could not be rebuilt.')
}

/** The current record of a rebuild. Errors: JobFailed if it was deleted with its repository. */
async function lastRebuild({ store }: Call, { id, repositoryId }: IndexRebuildRecord) {
  const found = await store.records.find('indexRebuild', rebuildKey(repositoryId))
  // A later rebuild can only begin after this one has ended.
  if (found) return found.id === id ? found : { ...found, state: 'succeeded' as const }
  throw new JobFailed('The repository is gone.', { isFinal: true })
}
