import type { Call, WriteCall } from '../engine/call.ts'
import { recordEvent } from '../engine/journal.ts'
import type { IndexRebuildRecord } from './records.ts'
import { goOnRebuilding } from './rebuild.ts'

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
