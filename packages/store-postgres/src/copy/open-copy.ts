import {
  type CopiedTable,
  type Row,
  type SqlValue,
  newestVersion,
  postgresMigrations,
} from '@quire/store-sql'
import type { Client } from 'pg'
import type { Target } from '../connect.ts'
import { applyMissing, readVersion, tablesIn } from '../migrate.ts'
import { inTransactionAlone, openClient, refusal } from '../open-client.ts'
import { sqlState, translate } from '../postgres-error.ts'
import { requireSchemaName } from '../schema-name.ts'
import { StoreOpenError } from '../store-open-error.ts'
import { durable } from '../writing-connection.ts'
import {
  type CopyLocation,
  type CopyRecord,
  beginCopy,
  copyTable,
  endCopy,
  findCopy,
  placing,
} from './copy-record.ts'
import { forgetPutOff, indexesPutOff, makeIndex, putOffIndexes } from './indexes.ts'
import { readRows } from './read-rows.ts'
import { finishCounters, finishTable, tablesToFinish } from './finish-copy.ts'
import { type RowsToTake, rowToStore, takeRows } from './take-rows.ts'

/** The target of a copy. */
export interface CopyOptions {
  /** As in `PostgresOptions`. */
  readonly url: string
  readonly schema?: string
  /** Identifies the copied rows. An unfinished copy is continued only with the same source. */
  readonly source: string
}

/**
 * A schema that receives the rows of another database. No store can open it before the copy is
 * finished.
 */
export interface PostgresCopy {
  /** The progress of an earlier copy from the same source; null when there is none. */
  readonly location: CopyLocation | null
  /** When the copy was finished (Unix ms); null for an unfinished one. */
  readonly finished: number | null
  /**
   * Writes new rows and the progress in one transaction: after a crash, either both are there or
   * neither.
   */
  take(rows: RowsToTake): Promise<void>
  /** Records the progress of something that is copied elsewhere. */
  reach(location: CopyLocation): Promise<void>
  /**
   * A row as it is stored here: a NUL in a text, which PostgreSQL does not support, becomes U+FFFD.
   * Returns the same row when there is none.
   */
  stored(row: Row): Row
  /**
   * The stored rows of a table, in no particular order, in batches. Only one iteration at a time.
   */
  rows(table: CopiedTable): AsyncIterable<readonly SqlValue[][]>
  /**
   * The steps that remain once all rows are there, without those that an earlier call completed.
   * Each takes long if there are many rows.
   */
  lastSteps(): Promise<readonly CopyStep[]>
  /** Allows stores to open the schema. Call once the last steps are done. */
  finish(): Promise<void>
  close(): Promise<void>
}

export interface CopyStep {
  /** The index or the table of the step. */
  readonly name: string
  run(): Promise<void>
}

/**
 * Opens a schema for a copy: an empty one, in which the tables are created, or one that has a copy
 * of the same source. Only one process at a time. A schema with anything else is not changed.
 *
 * Errors: StoreOpenError, whose message says what to do. The methods throw StoreUnavailable when
 * the connection is lost; then open the copy again.
 */
export function openPostgresCopy({ source, ...options }: CopyOptions): Promise<PostgresCopy> {
  return opened(options, (client, schema) => prepare(client, schema, source))
}

/**
 * Opens a finished copy to read its rows. Errors: StoreOpenError, also when there is no finished
 * copy.
 */
export function openPostgresCopied(options: Omit<CopyOptions, 'source'>): Promise<PostgresCopy> {
  return opened(options, requireFinished)
}

type Prepare = (client: Client, schema: string) => Promise<CopyRecord>

async function opened(options: Omit<CopyOptions, 'source'>, look: Prepare): Promise<PostgresCopy> {
  const { url, schema = 'quire' } = options
  requireSchemaName(schema)
  const { client } = await openClient({ url, schema })
  try {
    await lockCopy(client, schema)
    return copyOver(client, { url, schema }, await look(client, schema))
  } catch (error) {
    await client.end().catch(() => undefined)
    throw refusal(client, error)
  }
}

function copyOver(client: Client, { schema }: Target, { location, finished }: CopyRecord): PostgresCopy {
  return {
    location,
    finished,
    take: (rows) => attempt(() => takeRows(client, rows)),
    reach: ({ step, after }) => attempt(async () => void (await client.query(placing, [step, after]))),
    stored: rowToStore,
    rows: (table) => attempted(readRows(client, table)),
    lastSteps: () => attempt(() => lastSteps(client, schema)),
    finish: () =>
      attempt(async () => {
        await finishCounters(client, schema)
        await inTransactionAlone(client, schema, async () => {
          await forgetPutOff(client)
          await endCopy(client)
        })
      }),
    close: () => client.end(),
  }
}

async function lastSteps(client: Client, schema: string): Promise<readonly CopyStep[]> {
  const step = (name: string, work: () => Promise<void>): CopyStep => ({ name, run: () => attempt(work) })
  const indexes = await indexesPutOff(client)
  const tables = await tablesToFinish(client, schema)
  return [
    ...indexes.map((index) => step(index.name, () => makeIndex(client, index))),
    ...tables.map((table) => step(table, () => finishTable(client, table))),
  ]
}

/** How long to wait for the statement of a killed process to end, in ms. */
const LOCK_WAIT_MS = 5_000

const LOCK_NOT_AVAILABLE = '55P03'

/** The lock belongs to the session, and is released with the connection. */
async function lockCopy(client: Client, schema: string): Promise<void> {
  await client.query(`${durable}; SET lock_timeout = ${LOCK_WAIT_MS}`)
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('quire copies ${schema}', 0))`)
  } catch (cause) {
    if (sqlState(cause) !== LOCK_NOT_AVAILABLE) throw cause
    const message = `Another quire migrate-store is using the schema ${schema}: wait until it ends, or choose another schema.`
    throw new StoreOpenError('taken', message, { cause })
  }
}

async function prepare(client: Client, schema: string, source: string): Promise<CopyRecord> {
  return inTransactionAlone(client, schema, async () => {
    const names = await tablesIn(client, schema)
    if (names.length > 0) return requireSame(client, { schema, source, names })
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    await applyMissing({ client, schema, current: 0 }, postgresMigrations)
    await putOffIndexes(client, schema)
    await beginCopy(client, source)
    return { source, location: null, finished: null }
  })
}

interface CopyTarget {
  readonly schema: string
  readonly source: string
  readonly names: readonly string[]
}

async function requireSame(client: Client, { schema, source, names }: CopyTarget): Promise<CopyRecord> {
  const copy = names.includes(copyTable) ? await findCopy(client) : null
  if (copy?.source === source) {
    await requireCurrent(client, schema)
    return copy
  }
  const held =
    copy && copy.finished === null
      ? 'an unfinished copy of another source, or of the same source before it changed'
      : 'something already'
  throw new StoreOpenError(
    'taken',
    `The schema ${schema} holds ${held}: choose another with --database-schema, or drop it.`,
  )
}

async function requireFinished(client: Client, schema: string): Promise<CopyRecord> {
  const names = await tablesIn(client, schema)
  const copy = names.includes(copyTable) ? await findCopy(client) : null
  if (copy === null || copy.finished === null)
    throw new StoreOpenError(
      'unfinished',
      `The schema ${schema} holds no finished copy: call quire migrate-store without --verify first.`,
    )
  await requireCurrent(client, schema)
  return copy
}

async function requireCurrent(client: Client, schema: string): Promise<void> {
  const newest = newestVersion(postgresMigrations)
  if ((await readVersion(client)) === newest) return
  const message = `The copy in the schema ${schema} was started by another version of Quire: drop the schema and start again.`
  throw new StoreOpenError('newer', message)
}

async function attempt<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw translate(error)
  }
}

async function* attempted<T>(rows: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* rows
  } catch (error) {
    throw translate(error)
  }
}
