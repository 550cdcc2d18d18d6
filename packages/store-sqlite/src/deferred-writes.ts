import type { Database } from 'better-sqlite3'
import type { Guard } from './sqlite-driver.ts'

/**
 * Writes of the open transaction that wait until a statement needs them, or until the commit. Most
 * transactions only read first and then write. These need no savepoint: one that fails drops its
 * waiting writes. A savepoint costs a quarter of writing an item, because SQLite copies every
 * changed page, and because full-text search writes a segment for each.
 */
export interface DeferredWrites {
  /** Call after beginning or ending a transaction. */
  reset(): void
  /** Errors: those of `runAll`, when it runs the writes because too many wait. */
  add(write: () => void): void
  /**
   * Call before reading, and before the commit. Errors: the meaning of the first failure, after
   * which the whole transaction is rolled back.
   */
  runAll(): void
  /** Call before writing at once: begins the savepoints that are open. */
  beginSavepoints(): void
  /** See `SqlWriteDriver`. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** The statements of a savepoint. */
interface Steps {
  readonly begin: () => unknown
  readonly end: () => unknown
  readonly undo: () => unknown
}

/** A savepoint that begins when one of its writes runs. */
interface Savepoint {
  /** The number of waiting writes from before it. */
  first: number
  /** Null before it has begun. */
  steps: Steps | null
}

/**
 * The maximum number of waiting writes. At half, an item with many values needs a savepoint; at
 * twice, running them blocks the thread for twice as long, some 2 ms.
 */
const MOST_WAITING = 256

export function createDeferredWrites(database: Database, guard: Guard): DeferredWrites {
  const { whole, part } = stepsOn(database, guard)
  const open: Savepoint[] = []
  let waiting: (() => void)[] = []
  /** Whether the transaction has written nothing yet. */
  let isFresh = true
  const begin = (savepoint: Savepoint) => {
    savepoint.steps = isFresh ? whole : part
    savepoint.steps.begin()
    isFresh = false
  }
  const run = (writes: readonly (() => void)[]) => {
    if (writes.length > 0) isFresh = false
    for (const write of writes) write()
  }
  const runInOrder = (writes: readonly (() => void)[]) => {
    let ran = 0
    for (const savepoint of open.filter(({ steps }) => steps === null)) {
      run(writes.slice(ran, savepoint.first))
      ran = savepoint.first
      savepoint.first = 0
      if (ran < writes.length) begin(savepoint)
    }
    run(writes.slice(ran))
  }
  const runAll = () => {
    if (waiting.length === 0) return
    const writes = waiting
    waiting = []
    guard.check()
    try {
      runInOrder(writes)
    } catch (error) {
      // Its transaction may have ended well, so all of them must fail.
      if (database.inTransaction) database.exec('ROLLBACK')
      throw guard.failed(error)
    }
  }
  const end = ({ steps }: Savepoint) => {
    if (!steps) return
    runAll()
    steps.end()
  }
  const undo = ({ first, steps }: Savepoint) => {
    waiting.length = Math.min(first, waiting.length)
    if (!steps || !database.inTransaction) return
    steps.undo()
    isFresh = steps === whole
  }
  return {
    reset() {
      waiting = []
      isFresh = true
    },
    add(write) {
      waiting.push(write)
      if (waiting.length >= MOST_WAITING) runAll()
    },
    runAll,
    beginSavepoints() {
      for (const savepoint of open) if (!savepoint.steps) begin(savepoint)
      isFresh = false
    },
    async savepoint(work) {
      const savepoint: Savepoint = { first: waiting.length, steps: null }
      open.push(savepoint)
      try {
        const result = await work()
        end(savepoint)
        return result
      } catch (error) {
        undo(savepoint)
        throw error
      } finally {
        open.pop()
      }
    },
  }
}

/**
 * How a savepoint begins and ends. The first of a transaction is the transaction as a whole, which
 * is rolled back and begun again.
 */
function stepsOn(database: Database, guard: Guard): { readonly whole: Steps; readonly part: Steps } {
  const statements = (...texts: readonly string[]) => {
    const prepared = texts.map((text) => database.prepare(text))
    return () => {
      guard.check()
      try {
        for (const statement of prepared) statement.run()
      } catch (error) {
        throw guard.failed(error)
      }
    }
  }
  return {
    whole: {
      begin: () => undefined,
      end: () => undefined,
      undo: statements('ROLLBACK', 'BEGIN IMMEDIATE'),
    },
    part: {
      begin: statements('SAVEPOINT work'),
      end: statements('RELEASE work'),
      undo: statements('ROLLBACK TO work', 'RELEASE work'),
    },
  }
}
