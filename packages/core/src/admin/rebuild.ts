import type { Environment } from '../engine/environment.ts'
import { yieldingToLoop } from '../engine/event-loop.ts'
import { StoreConflict, StoreUnavailable, type Stored } from '../ports/index.ts'
import type { IndexRebuildRecord } from './records.ts'

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
