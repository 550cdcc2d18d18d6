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

// Entities that are indexed at once: writers wait some 65 ms for each part (SQLite). At twice, they wait twice as long; at half, a third more of the time goes into transactions.
const atOnce = 1500

// Ms between notes of how far it is. What was done after the last one is done again after a crash.
const notedEvery = 1000

/**
 * Goes on with the rebuild of a repository's index where it was left, until it has ended or `isStopped`. Where two do, one of them ends at its next
 * note. Never fails: a failure is in the record and in the log.
 */
export async function goOnRebuilding(
  ports: Ports,
  repositoryId: string,
  isStopped: () => boolean,
): Promise<void> {
  if (isStopped()) return
  try {
    // In a transaction, behind the one that began it.
    const found = await ports.store.transaction((tx) =>
      tx.records.find('indexRebuild', `repository:${repositoryId}`),
    )
    if (found?.state === 'running') await rebuild(ports, found, isStopped)
  } catch (error) {
    if (!isOthers(error)) await fail(ports, repositoryId, error)
  }
}

/** The same for every index whose rebuild an earlier process did not end. */
export async function goOnRebuilds(ports: Ports, isStopped: () => boolean): Promise<void> {
  for (const { repositoryId, state } of await ports.store.records.list('indexRebuild'))
    if (state === 'running') await goOnRebuilding(ports, repositoryId, isStopped)
}

/** Another goes on with it, or will: its note came first, the repository is gone, or the service ends. */
function isOthers(error: unknown): boolean {
  return error instanceof StoreConflict || (error instanceof StoreUnavailable && error.kind === 'closed')
}

async function rebuild(ports: Ports, begun: Running, isStopped: () => boolean): Promise<void> {
  const { store, clock } = ports
  const yieldToLoop = yieldingToLoop()
  let record = await begunWithTotal(ports, begun)
  let { after, done } = record
  let noted = clock.now()
  for await (const part of store.indexes.reindex(record.repositoryId, { after, limit: atOnce })) {
    done += part.done
    if (part.next === null) return succeed(ports, { ...record, done })
    after = part.next
    if (clock.now() - noted >= notedEvery) {
      record = await note(ports, { ...record, after, done })
      noted = clock.now()
    }
    if (isStopped()) break
    await yieldToLoop()
  }
  await note(ports, { ...record, after, done })
}

async function begunWithTotal(ports: Ports, record: Running): Promise<Running> {
  if (record.total > 0) return record
  return note(ports, { ...record, total: await ports.store.indexes.size(record.repositoryId) })
}

/** Keeps how far it is. A power cut may take it back: that much is done again. */
function note({ store }: Ports, { revision, ...record }: Running): Promise<Running> {
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
        'The index could not be made anew: the log says why. What was found before is found still.'
      const ended = { ...record, state: 'failed', finishedDate: clock.now(), error: message } as const
      await tx.records.put('indexRebuild', ended, revision)
    })
  } catch (unkept) {
    log.write('error', 'index.rebuild-failed', { repositoryId, message: String(unkept) })
  }
}

/** The key by which the last rebuild of a repository's index is found. */
export function rebuildKey(repositoryId: string): string {
  return `repository:${repositoryId}`
}

/** The rebuild of a repository's index that runs, or a new one. It goes on once somebody calls `goOn`. */
export async function beginRebuild(call: WriteCall, repositoryId: string): Promise<IndexRebuildRecord> {
  const last = await call.store.records.find('indexRebuild', rebuildKey(repositoryId))
  if (last?.state === 'running') return last
  if (last) await call.store.records.delete('indexRebuild', last.id, last.revision)
  return call.store.records.put('indexRebuild', newRebuild(call, repositoryId), 0)
}

/** Goes on with a rebuild after the answer, or joins who does. Resolves when it ended here, or goes on elsewhere. */
export function goOn(
  { environment, shared, hooks }: Call,
  { id, repositoryId }: Pick<IndexRebuildRecord, 'id' | 'repositoryId'>,
): Promise<void> {
  // By the record: one that has just ended is not joined by whoever began anew.
  const flight = shared.join(`index.rebuild ${id}`, () =>
    goOnRebuilding(environment, repositoryId, shared.isStopping),
  )
  const announced = flight.finally(hooks.announce)
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
