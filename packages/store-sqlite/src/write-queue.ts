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
import { AUTO_CHECKPOINT_PAGES } from './pragmas.ts'
import type { Soundness } from './soundness.ts'
import type { Freshness, Guard } from './sqlite-driver.ts'

/** Runs transactions one after another, several to a commit. */
export interface WriteQueue {
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs work that writes over another connection: in its turn, while no transaction is open here, and those that come later wait for its end.
   * What it committed is what everybody reads once this resolves. Errors: StoreUnavailable when nothing can be written any more.
   */
  exclusive<T>(work: () => Promise<T>): Promise<T>
  /** Errors: StoreUnavailable when nothing can be written any more. */
  requireSound(): void
  /** Refuses what comes from now on and waits for what is queued. */
  drain(): Promise<void>
}

/**
 * How many transactions share a commit. One fsync costs as much as some ten transactions: at half, little is lost; at twice, the
 * first of a batch waits twice as long for no gain.
 */
const MOST_IN_BATCH = 64

/** What the queue knows of its connection. */
export interface WriteState extends Freshness {
  /** The database transaction that was open is gone: nothing may run until the batch has ended. */
  lost: unknown
  /** Once it is not sound, nothing may be written until a restart. */
  readonly soundness: Soundness
}

/** The state of a fresh connection. */
export function createWriteState(soundness: Soundness): WriteState {
  return { lost: null, soundness, fresh: false }
}

/** Keeps a statement from running on its own after SQLite has rolled the batch back: outside a transaction it would commit at once. */
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

/** Work that shares no commit. */
interface Alone {
  readonly alone: () => Promise<Complete>
  readonly refuse: (error: unknown) => void
}

/** What the queue calls as it goes. */
export interface Hooks {
  readonly openBatch: () => Batch
  /** Before each commit, with the number of documents of the search index that it makes durable. */
  readonly maintenance: (documents: number) => void
  /** In the same turn as the commit, and as folding its log into the file. */
  readonly beforeCommit: () => void
}

/** Opens the queue of a connection. */
export function createWriteQueue(database: Database, state: WriteState, hooks: Hooks): WriteQueue {
  const waiting: (Job | Alone)[] = []
  let draining: Promise<void> | null = null
  let closed = false
  const work = async () => {
    for (let [next] = waiting; next; [next] = waiting) {
      if ('alone' in next) await runAlone(next, waiting, hooks)
      else await runBatch(database, state, { waiting, synced: next.synced, ...hooks })
    }
    draining = null
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

/** What was written elsewhere is known here as if an empty batch had been committed after it. */
async function runAlone(job: Alone, waiting: (Job | Alone)[], hooks: Hooks): Promise<void> {
  waiting.shift()
  const complete = await job.alone()
  hooks.beforeCommit()
  hooks.openBatch().committed()
  complete()
}

/**
 * A batch that took so long wrote a long log: folding that into the file takes as long again as the commit, and the thread would
 * stand still for both together. At half, ordinary batches on a busy machine are taken for long ones; twice is too late for some.
 */
const LONG_BATCH_MS = 200

/** Commits without folding the log into the file. */
function commitUnfolded(database: Database, state: WriteState): void {
  database.pragma('wal_autocheckpoint = 0')
  try {
    commit(database, state)
  } finally {
    database.pragma(`wal_autocheckpoint = ${AUTO_CHECKPOINT_PAGES}`)
  }
}

/** Folds the log into the file in a turn of its own, with nobody reading an older state. */
async function foldLater(database: Database, state: WriteState, release: () => void): Promise<void> {
  await nextLoop()
  release()
  executing(state, () => database.pragma('wal_checkpoint(PASSIVE)'))
}

interface QueuedWrite extends Hooks {
  readonly waiting: (Job | Alone)[]
  readonly synced: boolean
}

/**
 * One commit for all that wait, as far as they are alike in whether it must be synced. A refusal too is told only after the commit: it may
 * rest on what an earlier transaction of the batch wrote.
 */
async function runBatch(
  database: Database,
  state: WriteState,
  { waiting, synced, openBatch, maintenance, beforeCommit }: QueuedWrite,
): Promise<void> {
  const jobs: Job[] = []
  try {
    if (!synced) database.pragma('synchronous = NORMAL')
    begin(database, state)
    const started = performance.now()
    const batch = openBatch()
    const completions = await runJobs(state, { waiting, jobs, batch, synced })
    const isLong = performance.now() - started > LONG_BATCH_MS
    await batch.ending()
    executing(state, () => maintenance(batch.documents()))
    beforeCommit()
    if (isLong) commitUnfolded(database, state)
    else commit(database, state)
    batch.committed()
    for (const complete of completions) complete()
    if (isLong) await foldLater(database, state, beforeCommit)
  } catch (error) {
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
  state.fresh = true
}

/** What was acknowledged after damage was found would be gone with the file that a backup replaces. */
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
