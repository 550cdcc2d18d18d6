import type { KeyedRead, SqlValue, SqlValues } from '@quire/store-sql'
import type { GroupStatements } from './group-statements.ts'
import { holdable } from './holdable.ts'
import type { WaitingWrite } from './waiting-write.ts'
import { groupWrites } from './write-groups.ts'
import type { WritingConnection } from './writing-connection.ts'

/**
 * Writes of the open transaction that wait until a statement needs them, or until the commit. They
 * then run in few statements. A savepoint begins when a statement must run in it; one that fails
 * before drops its waiting writes.
 */
export interface WaitingWrites {
  /** Call after beginning or ending a transaction. */
  reset(): void
  /** Errors: those of `runAll`, when it runs the writes because too many wait. */
  add(write: WaitingWrite): Promise<void>
  /**
   * Sends all waiting writes to the database; call before the commit. An error makes the following
   * statements and the commit fail.
   */
  runAll(): Promise<void>
  /** Whether one of the writes reads or writes one of the tables. */
  touch(tables: ReadonlySet<string>): boolean
  /** Whether one of the writes may change a final answer. */
  affect(read: Pick<KeyedRead, 'tables' | 'by'>, values: SqlValues): boolean
  /** Call before a statement: runs all writes if they touch one of its tables. */
  runBefore(tables: ReadonlySet<string>): Promise<void>
  /** Call before writing at once. Runs all writes first, if a savepoint has to begin. */
  beginSavepoints(): Promise<void>
  /** See `SqlWriteDriver`. */
  savepoint<T>(work: () => Promise<T>): Promise<T>
}

/** A savepoint of the database, once it has begun. */
interface Savepoint {
  /** Nested ones have different names: after an error, the inner one may not have begun. */
  readonly name: string
  /** The number of waiting writes from before it. */
  first: number
  hasBegun: boolean
}

/**
 * The maximum number of waiting writes, and of the characters in them. At half, a commit of 64
 * creates takes twice as many statements; at twice, twice as much is in memory.
 */
const most = { writes: 2_048, characters: 4_000_000 }

export function createWaitingWrites(
  connection: Pick<WritingConnection, 'send' | 'execute' | 'fail' | 'forgive' | 'refuse'>,
  statements: GroupStatements,
): WaitingWrites {
  const open: Savepoint[] = []
  let waiting: WaitingWrite[] = []
  let characters = 0
  let byTable = new Map<string, WaitingWrite[]>()
  const send = (writes: readonly WaitingWrite[]) =>
    groupWrites(writes).flatMap((groups) => statements.of(groups).map((one) => connection.send(one)))
  const begin = (savepoint: Savepoint) => {
    savepoint.hasBegun = true
    return connection.send({ text: `SAVEPOINT ${savepoint.name}`, rowMode: 'array' })
  }
  const hold = (writes: WaitingWrite[]) => {
    waiting = writes
    characters = 0
    byTable = new Map()
    for (const write of writes) note(write)
  }
  const note = (write: WaitingWrite) => {
    characters += charactersIn(write.values)
    for (const table of write.tables) {
      const others = byTable.get(table)
      if (others) others.push(write)
      else byTable.set(table, [write])
    }
  }
  /** Everything is sent in the same tick, so that no other statement gets in between. */
  const sendAll = (writes: readonly WaitingWrite[], { beginAll }: { beginAll: boolean }) => {
    const sent: Promise<void>[] = []
    let ran = 0
    for (const savepoint of open.filter(({ hasBegun }) => !hasBegun)) {
      sent.push(...send(writes.slice(ran, savepoint.first)))
      ran = savepoint.first
      savepoint.first = 0
      if (beginAll || ran < writes.length) sent.push(begin(savepoint))
    }
    sent.push(...send(writes.slice(ran)))
    return sent
  }
  const run = async (options: { beginAll: boolean }) => {
    const writes = waiting
    hold([])
    try {
      await Promise.all(sendAll(writes, options))
    } catch (error) {
      // The transactions of the writes may have ended well, so all of them must fail.
      connection.fail(error)
      throw error
    }
  }
  const runAll = async () => {
    if (waiting.length > 0) await run({ beginAll: false })
  }
  const touch = (tables: ReadonlySet<string>) => [...tables].some((table) => byTable.has(table))
  const undo = async ({ first, name, hasBegun }: Savepoint) => {
    if (waiting.length > first) hold(waiting.slice(0, first))
    if (!hasBegun) return
    try {
      await connection.execute({ text: `ROLLBACK TO ${name}; RELEASE ${name}` })
      connection.forgive()
    } catch (error) {
      connection.refuse(error)
    }
  }
  return {
    reset: () => hold([]),
    async add(write) {
      waiting.push(write)
      note(write)
      if (waiting.length >= most.writes || characters >= most.characters) await runAll()
    },
    runAll,
    touch,
    affect: ({ tables, by }, values) =>
      tables
        .flatMap((table) => byTable.get(table) ?? [])
        .some((write) => by.some((name) => mayEqual(write.values[name], values[name]))),
    async runBefore(tables) {
      if (touch(tables)) await runAll()
    },
    async beginSavepoints() {
      if (open.some(({ hasBegun }) => !hasBegun)) await run({ beginAll: true })
    },
    async savepoint(work) {
      const savepoint: Savepoint = {
        name: `work${open.length}`,
        first: waiting.length,
        hasBegun: false,
      }
      open.push(savepoint)
      try {
        const result = await work()
        // What waits runs after the savepoint, because it must not be rolled back any more.
        if (savepoint.hasBegun) await connection.send({ text: `RELEASE ${savepoint.name}`, rowMode: 'array' })
        return result
      } catch (error) {
        await undo(savepoint)
        throw error
      } finally {
        open.pop()
      }
    },
  }
}

/** Whether a condition on a column may be true for a written value, which is undefined if not known. */
function mayEqual(written: SqlValue | undefined, asked: SqlValue = null): boolean {
  if (asked === null) return false
  return written === undefined || holdable(written) === holdable(asked)
}

function charactersIn(values: WaitingWrite['values']): number {
  let characters = 0
  for (const value of Object.values(values)) if (typeof value === 'string') characters += value.length
  return characters
}
