import { setImmediate as nextLoop } from 'node:timers/promises'
import type { Transaction, TransactionOptions } from '@quire/core/ports'
import {
  type Batch,
  type GroupedWrites,
  type Complete,
  closedError,
  createGroupedWrites,
} from '@quire/store-sql'
import type { Database } from 'better-sqlite3'
import { createIdleWork } from './idle-work.ts'
import { AUTO_CHECKPOINT_PAGES } from './pragmas.ts'
import type { SearchMaintenance } from './search-maintenance.ts'
import type { Soundness } from './soundness.ts'
import type { DeferredWrites } from './deferred-writes.ts'
import type { Guard } from './sqlite-driver.ts'
import { isDamage, translate } from './sqlite-error.ts'

/** Runs transactions one after another, several per commit. */
export interface WriteQueue {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs work that writes over another connection: in queue order, while no transaction is open
   * here. Later transactions wait for its end. Once this resolves, all readers see what it
   * committed. Errors: StoreUnavailable when the store is closed or damaged.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Errors: StoreUnavailable when the store is closed or damaged. */
  requireSound(): void
  /** Refuses new work and waits for the queued work. */
  drain(): Promise<void>
}

/**
 * The maximum number of transactions per commit. One fsync costs as much as some ten transactions:
 * at half, little is lost; at twice, the first of a batch waits twice as long for no gain.
 */
const MOST_IN_BATCH = 64

/** The state of the queue's connection. */
export interface WriteState {
  /**
   * The error with which SQLite rolled back the open transaction: nothing may run until the batch
   * has ended. Null when there is none.
   */
  lost: unknown
  /** Once it reports damage, nothing may be written until a restart. */
  readonly soundness: Soundness
}

export function createWriteState(soundness: Soundness): WriteState {
  return { lost: null, soundness }
}

/**
 * Blocks statements after SQLite has rolled the batch back: outside a transaction they would commit
 * at once.
 */
export function guardWrites(database: Database, state: WriteState): Guard {
  return {
    check() {
      if (state.lost !== null) throw state.lost
    },
    failed(error) {
      const meaning = state.soundness.meaningOf(error)
      if (!database.inTransaction) state.lost = meaning
      return meaning
    },
  }
}

type Job = GroupedWrites<Batch>

/** Work that does not share a commit. */
interface Alone {
  readonly alone: () => Promise<Complete>
  readonly refuse: (error: unknown) => void
}

/** The callbacks of the queue. */
export interface Hooks {
  readonly openBatch: () => Batch
  readonly writes: DeferredWrites
  readonly maintenance: SearchMaintenance
  /** Called in the same tick as a commit, and as the merge of its log into the file. */
  readonly beforeCommit: () => void
}

export function createWriteQueue(database: Database, state: WriteState, hooks: Hooks): WriteQueue {
  const waiting: (Job | Alone)[] = []
  let draining: Promise<void> | null = null
  let closed = false
  const mergeSoon = createIdleWork(() => {
    if (closed) return false
    return draining !== null || mergedIdle(database, state, hooks)
  })
  mergeSoon()
  const work = async () => {
    for (let [next] = waiting; next; [next] = waiting) {
      if ('alone' in next) await runAlone(next, waiting, hooks)
      else await runBatch(database, state, { waiting, synced: next.synced, ...hooks })
    }
    draining = null
    mergeSoon()
  }
  const requireSound = () => {
    state.soundness.require()
    if (closed) throw closedError()
  }
  return {
    requireSound,
    async transaction(inner, { synced = true } = {}) {
      requireSound()
      const { job, ended } = createGroupedWrites((batch: Batch) => batch.run(inner), synced)
      waiting.push(job)
      draining ??= work()
      return ended
    },
    async exclusive(inner) {
      requireSound()
      const { job, ended } = aloneOf(state, inner)
      waiting.push(job)
      draining ??= work()
      return ended
    },
    async drain() {
      closed = true
      await draining
    },
  }
}

function aloneOf<T>(
  state: WriteState,
  work: () => Promise<T>,
): { readonly job: Alone; readonly ended: Promise<T> } {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const alone = async (): Promise<Complete> => {
    try {
      state.soundness.require()
      const result = await work()
      return () => resolve(result)
    } catch (error) {
      return () => reject(error)
    }
  }
  return { job: { alone, refuse: reject }, ended: promise }
}

/**
 * Afterwards, commits an empty batch in memory, so that this process sees what was written over the
 * other connection.
 */
async function runAlone(job: Alone, waiting: (Job | Alone)[], hooks: Hooks): Promise<void> {
  waiting.shift()
  const complete = await job.alone()
  hooks.beforeCommit()
  hooks.openBatch().committed()
  complete()
}

/**
 * A batch that took this long wrote a long log. Merging it into the file takes as long as the
 * commit, and the thread would be blocked for both together. At half, ordinary batches on a busy
 * machine count as long; at twice, some long ones are missed.
 */
const LONG_BATCH_MS = 200

/** Commits without merging the log into the file. */
function commitUnfolded(database: Database, state: WriteState): void {
  database.pragma('wal_autocheckpoint = 0')
  try {
    commit(database, state)
  } finally {
    database.pragma(`wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`)
  }
}

/** Merges the log into the file in a separate tick, while no reader holds an older state. */
async function foldLater(database: Database, state: WriteState, release: () => void): Promise<void> {
  await nextLoop()
  release()
  executing(state, () => database.pragma('wal_checkpoint(PASSIVE)'))
}

/**
 * Merges a part of the search index while no transaction is open. Returns whether there may be more to
 * merge. An error ends it until the next write, which reports it as well if it lasts: a full disk does not
 * take from the space that is reserved for deletions.
 */
function mergedIdle(database: Database, state: WriteState, { maintenance, beforeCommit }: Hooks): boolean {
  if (!database.open) return false
  try {
    state.soundness.require()
    // A power failure may lose the part, which is then merged again.
    database.pragma('synchronous = NORMAL')
    beforeCommit()
    return maintenance.whileIdle()
  } catch (error) {
    if (isDamage(translate(error))) state.soundness.meaningOf(error)
    return false
  } finally {
    database.pragma('synchronous = FULL')
  }
}

interface QueuedWrite extends Hooks {
  readonly waiting: (Job | Alone)[]
  readonly synced: boolean
}

/**
 * Commits all waiting transactions together, up to the first with a different sync setting.
 * Failures, too, are reported only after the commit: they may depend on what an earlier transaction
 * of the batch wrote.
 */
async function runBatch(
  database: Database,
  state: WriteState,
  { waiting, synced, openBatch, writes, maintenance, beforeCommit }: QueuedWrite,
): Promise<void> {
  const jobs: Job[] = []
  try {
    if (!synced) database.pragma('synchronous = NORMAL')
    begin(database, state)
    writes.reset()
    const started = performance.now()
    const batch = openBatch()
    const completions = await runJobs(state, { waiting, jobs, batch, synced })
    const isLong = performance.now() - started > LONG_BATCH_MS
    await batch.ending()
    await batch.record()
    writes.runAll()
    executing(state, () => maintenance.beforeCommit(batch.documents()))
    beforeCommit()
    if (isLong) commitUnfolded(database, state)
    else commit(database, state)
    batch.committed()
    for (const complete of completions) complete()
    if (isLong) await foldLater(database, state, beforeCommit)
  } catch (error) {
    writes.reset()
    abandon(database, state)
    for (const { refuse } of [...jobs, ...waiting.splice(0, jobs.length === 0 ? MOST_IN_BATCH : 0)])
      refuse(error)
  } finally {
    if (!synced) database.pragma('synchronous = FULL')
  }
}

async function runJobs(
  state: WriteState,
  { waiting, jobs, batch, synced }: { waiting: (Job | Alone)[]; jobs: Job[]; batch: Batch; synced: boolean },
): Promise<Complete[]> {
  const completions: Complete[] = []
  while (jobs.length < MOST_IN_BATCH) {
    const [job] = waiting
    if (!job || 'alone' in job || job.synced !== synced) return completions
    waiting.shift()
    jobs.push(job)
    completions.push(await job.run(batch))
    if (state.lost !== null) throw state.lost
    if (waiting.length === 0) await nextLoop()
  }
  return completions
}

function begin(database: Database, state: WriteState): void {
  state.soundness.require()
  state.lost = null
  executing(state, () => database.exec('BEGIN IMMEDIATE'))
}

/**
 * Refuses to commit after damage was found, because restoring a backup would lose what was
 * acknowledged since.
 */
function commit(database: Database, state: WriteState): void {
  state.soundness.require()
  executing(state, () => database.exec('COMMIT'))
}

function executing(state: WriteState, execute: () => void): void {
  try {
    execute()
  } catch (error) {
    throw state.soundness.meaningOf(error)
  }
}

function abandon(database: Database, state: WriteState): void {
  if (database.inTransaction) executing(state, () => database.exec('ROLLBACK'))
}
