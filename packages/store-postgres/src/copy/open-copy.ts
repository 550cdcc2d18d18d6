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

/** What to copy to. */
export interface CopyOptions {
  /** As `PostgresOptions`. */
  readonly url: string
  readonly schema?: string
  /** What identifies the rows that are copied: only with the same an unfinished copy is gone on with. */
  readonly source: string
}

/** A schema that takes the rows of another database. No store is opened on it before the copy is finished. */
export interface PostgresCopy {
  /** Where an earlier copy of the same source came to; null when nothing is there yet. */
  readonly location: CopyLocation | null
  /** When it was finished, Unix ms; null for one that is not. */
  readonly finished: number | null
  /** Writes rows that are not there yet, and notes the place in the same transaction: after a crash both are there or neither. */
  take(accepted: RowsToTake): Promise<void>
  /** Notes how far something came that is copied elsewhere. */
  reach(location: CopyLocation): Promise<void>
  /** A row as it is kept here: a NUL in a text, which PostgreSQL has none of, is U+FFFD. The same row where there is none. */
  stored(row: Row): Row
  /** The rows of a table as they are there, in no order, some at a time. One walk at a time. */
  rows(table: CopiedTable): AsyncIterable<readonly SqlValue[][]>
  /** What is to be done once all rows are there: each takes long where there are many. What an earlier call did is not among it. */
  lastSteps(): Promise<readonly CopyStep[]>
  /** Lets stores open the schema. To be called once the last steps are done. */
  finish(): Promise<void>
  close(): Promise<void>
}

/** One of the last steps of a copy. */
export interface CopyStep {
  /** The index or the table that it is about. */
  readonly name: string
  run(): Promise<void>
}

/**
 * Opens a schema for a copy: an empty one, which gets its tables, or one that holds a copy of the same source. One process at a time. What
 * holds anything else is not changed.
 *
 * Errors: StoreOpenError, whose message says what to do. Of what is called later: StoreUnavailable when the connection is lost; then open it again.
 */
export function openPostgresCopy({ source, ...options }: CopyOptions): Promise<PostgresCopy> {
  return opened(options, (client, schema) => prepare(client, schema, source))
}

/**
 * Opens what a copy was finished to, for its rows alone.
 * Errors: StoreOpenError, also where nothing was copied to.
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
    await requireEpoch(client, schema)
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
    take: (accepted) => attempt(() => takeRows(client, accepted)),
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

/** What a process that was killed had under way may take a moment to end, in ms. */
const YIELD_MS = 5_000

const LOCK_NOT_AVAILABLE = '55P03'

/** The lock is the session's: it goes with the connection. */
async function requireEpoch(client: Client, schema: string): Promise<void> {
  await client.query(`${durable}; SET lock_timeout = ${YIELD_MS}`)
  try {
    await client.query(`SELECT pg_advisory_lock(hashtextextended('quire copies ${schema}', 0))`)
  } catch (cause) {
    if (sqlState(cause) !== LOCK_NOT_AVAILABLE) throw cause
    const message = `Another quire migrate-store works on the schema ${schema}: wait for its end, or choose another schema.`
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
      ? 'an unfinished copy of something else, or of the same before it was changed'
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
  const message = `The copy in the schema ${schema} was begun by another version of Quire: drop the schema and begin anew.`
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
