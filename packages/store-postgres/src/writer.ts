import type { SqlWriteDriver } from '@quire/store-sql'
import { BEGIN_MS, type Target } from './connect.ts'
import { type StatementNames, createDriver } from './postgres-driver.ts'
import { writerLock } from './writer-lock.ts'
import { type WritingConnection, createWritingConnection } from './writing-connection.ts'

/** The only writing connection. `begin` opens it again when it was lost. */
export interface Writer {
  readonly driver: SqlWriteDriver
  /**
   * Begins a transaction that is the only writing one among all processes. `synced`: whether its
   * commit waits for the disk. Errors: StoreUnavailable `busy` when the database cannot be reached,
   * or when another process writes for too long.
   */
  begin(synced: boolean): Promise<void>
  /** The number of the last announced commit (see `CommitFeed`), and the current schema version. */
  lastCommit(): Promise<{ readonly number: number; readonly schemaVersion: number }>
  /** Runs a statement without returning its result. */
  post(text: string, values: readonly (string | number)[]): Promise<void>
  /**
   * Errors: StoreUnavailable. After a lost connection, it is unknown whether the transaction was
   * committed.
   */
  commit(): Promise<void>
  /**
   * Rolls back. Never fails: a connection that does not respond is closed, which also rolls back.
   */
  abandon(): Promise<void>
  close(): Promise<void>
}

/** Prepares the connection to a database; `begin` opens it. */
export function createWriter(target: Target, names: StatementNames): Writer {
  const lock = `SELECT pg_advisory_xact_lock(${writerLock(target.schema)})`
  const connection = createWritingConnection(target)
  const { run, send } = connection
  return {
    driver: {
      ...createDriver(run, names, send),
      savepoint: (work) => withinSavepoint(connection, work),
    },
    async begin(synced) {
      await connection.open()
      const relaxed = synced ? '' : 'SET LOCAL synchronous_commit = off; '
      const begin = {
        text: `BEGIN ISOLATION LEVEL READ COMMITTED; ${relaxed}${lock}`,
        query_timeout: BEGIN_MS,
      }
      await connection.execute(begin)
    },
    async lastCommit() {
      const { rows } = await run({
        text: 'SELECT number, version FROM commits, schema_version',
        rowMode: 'array',
      })
      const [number, schemaVersion] = (rows[0] ?? []).map(Number)
      return { number: number ?? Number.NaN, schemaVersion: schemaVersion ?? Number.NaN }
    },
    async post(text, values) {
      const name = names.nameOf(text)
      await run({ text, values: [...values], rowMode: 'array', ...(name !== null && { name }) })
    },
    commit: () => commit(connection),
    async abandon() {
      connection.forgive()
      connection.refuse(null)
      // Not awaited, because closing a silently cut connection may never end.
      await connection.execute({ text: 'ROLLBACK' }).catch(() => void connection.giveUp())
    },
    close: () => connection.giveUp(),
  }
}

async function withinSavepoint<T>(connection: WritingConnection, work: () => Promise<T>): Promise<T> {
  await connection.execute({ text: 'SAVEPOINT work' })
  try {
    const result = await work()
    await connection.execute({ text: 'RELEASE work' })
    return result
  } catch (error) {
    await undo(connection)
    throw error
  }
}

async function undo(connection: WritingConnection): Promise<void> {
  try {
    await connection.execute({ text: 'ROLLBACK TO work; RELEASE work' })
    connection.forgive()
  } catch (error) {
    connection.refuse(error)
  }
}

/** After a failed statement, PostgreSQL answers COMMIT by rolling back, without an error. */
async function commit(connection: WritingConnection): Promise<void> {
  const verb = await connection.execute({ text: 'COMMIT' })
  if (verb !== 'COMMIT') throw new TypeError('A transaction with a failed statement must not be committed.')
}
