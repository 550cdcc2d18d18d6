import type { SqlWriteDriver } from '@quire/store-sql'
import { BEGIN_MS, type Target } from './connect.ts'
import { createGroupStatements } from './group-statements.ts'
import { type StatementNames, createDriver } from './postgres-driver.ts'
import type { Touched } from './touched.ts'
import { type WaitingWrites, createWaitingWrites } from './waiting-writes.ts'
import { createWriteDriver } from './write-driver.ts'
import { writerLock } from './writer-lock.ts'
import { type WritingConnection, createWritingConnection } from './writing-connection.ts'

/** How a transaction is run. */
export interface Begin {
  /** Whether its commit waits for the disk. */
  readonly synced: boolean
  /** Whether it waits until no other transaction runs, and all others wait for it. */
  readonly alone: boolean
  /** Keys (see `Touched`) that were in conflict. It waits for other transactions that name them, too. */
  readonly contested: readonly number[]
}

/** The state that a transaction begins with. */
export interface Begun {
  /** The number of the last announced commit (see `CommitFeed`). */
  readonly announced: number
  readonly schemaVersion: number
  /** The number of the last commit, for `end`. */
  readonly since: number
}

/** A writing connection. `begin` opens it again when it was lost. */
export interface Writer {
  readonly driver: SqlWriteDriver
  /**
   * Begins a transaction. Errors: StoreUnavailable `busy` when the database cannot be reached, or
   * when the tables are being changed for too long.
   */
  begin(how: Begin): Promise<Begun>
  /** Runs a statement without returning its result. */
  post(text: string, values: readonly (string | number)[]): Promise<void>
  /** Waits until no other transaction holds the key, and holds it until the commit. */
  hold(key: string): Promise<void>
  /**
   * Call last, before what is to be numbered in the order of the commits. From here on the commits
   * of others wait. May resolve before it has run: a conflict is reported by `commit`.
   */
  end(since: number, touched: Touched): Promise<void>
  /**
   * Announces changes of what processes cache, and returns the number of the announcement. Call
   * after `end`.
   */
  announce(channel: string, notice: object): Promise<number>
  /**
   * Errors: a conflict (see `isConflict`); StoreUnavailable. After a lost connection, it is unknown
   * whether the transaction was committed.
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
  const lock = writerLock(target.schema)
  const connection = createWritingConnection(target)
  const writes = createWaitingWrites(connection, createGroupStatements(names))
  const { run, send } = connection
  const named = (text: string, values: readonly (string | number)[]) => {
    const name = names.nameOf(text)
    return { text, values: [...values], rowMode: 'array' as const, ...(name !== null && { name }) }
  }
  return {
    driver: createWriteDriver(createDriver(run, names), writes),
    async begin({ synced, alone, contested }) {
      await connection.open()
      writes.reset()
      const steps = [
        'BEGIN ISOLATION LEVEL READ COMMITTED',
        ...(synced ? [] : ['SET LOCAL synchronous_commit = off']),
        `SELECT pg_advisory_xact_lock${alone ? '' : '_shared'}(${lock})`,
        ...contested.map(
          (key) => `SELECT pg_advisory_xact_lock(hashtextextended('${keyName(target, key)}', 0))`,
        ),
      ]
      const begin = { text: steps.join('; '), query_timeout: BEGIN_MS }
      const [, { rows }] = await Promise.all([connection.execute(begin), run(named(beginState, []))])
      const [announced = Number.NaN, schemaVersion = Number.NaN, since = Number.NaN] = (rows[0] ?? []).map(
        Number,
      )
      return { announced, schemaVersion, since }
    },
    async post(text, values) {
      await run(named(text, values))
    },
    async hold(key) {
      await run(named(holdKey, [keyName(target, key)]))
    },
    async end(since, { read, written }) {
      await writes.runAll()
      const values = [since, listOf(read)]
      if (written.length === 0) return send(named('SELECT refuse_conflict($1, $2)', values))
      return send(named('SELECT end_transaction($1, $2, $3)', [...values, listOf(written)]))
    },
    // Sent at once: the commit may follow in the same tick.
    async announce(channel, notice) {
      const { rows } = await run(named(announceCommit, [channel, JSON.stringify(notice)]))
      return Number(rows[0]?.[0])
    },
    commit: () => commit(connection, writes),
    async abandon() {
      connection.forgive()
      connection.refuse(null)
      // Not awaited, because closing a silently cut connection may never end.
      await connection.execute({ text: 'ROLLBACK' }).catch(() => void connection.giveUp())
    },
    close: () => connection.giveUp(),
  }
}

/** Names a key for a lock. Schema names contain no quotes. */
function keyName({ schema }: Target, key: string | number): string {
  return `quire ${schema} ${key}`
}

const beginState =
  'SELECT number, version, coalesce((SELECT max(number) FROM commit_keys), 0) FROM commits, schema_version'

const holdKey = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))'

const announceCommit =
  "WITH counted AS (UPDATE commits SET number = number + 1 RETURNING number) SELECT number, pg_notify($1, (jsonb_build_object('number', number) || $2::jsonb)::text) FROM counted"

/** An array of PostgreSQL. */
function listOf(numbers: readonly number[]): string {
  return `{${numbers.join(',')}}`
}

/** After a failed statement, PostgreSQL answers COMMIT by rolling back, without an error. */
async function commit(connection: WritingConnection, writes: WaitingWrites): Promise<void> {
  try {
    await writes.runAll()
    connection.requireSound()
    const verb = await connection.execute({ text: connection.conflict() === null ? 'COMMIT' : 'ROLLBACK' })
    if (verb === 'COMMIT') return
    connection.requireSound()
    throw new TypeError('A transaction with a failed statement must not be committed.')
  } catch (error) {
    throw connection.conflict() ?? error
  }
}
