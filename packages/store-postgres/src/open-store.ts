import type { JobDispatch, Peers, Store } from '@quire/core/ports'
import {
  type Batch,
  type OpenSqlBatch,
  type SqlDriver,
  type SqlStore,
  closedError,
  openSqlStore,
  postgresDialect,
  postgresMigrations,
  prepareReadWords,
} from '@quire/store-sql'
import { Pool } from 'pg'
import { createCommits } from './commits.ts'
import { type CommitFeed, type CommitNotice, channelOf, createCommitFeed } from './commit-feed.ts'
import { type Target, clientConfig, patience } from './connect.ts'
import { type Dispatcher, createDispatcher } from './dispatch.ts'
import { migrate } from './migrate.ts'
import type { Migrated } from './migrated.ts'
import { createPeers } from './peers.ts'
import { type Run, type StatementNames, createDriver, createStatementNames } from './postgres-driver.ts'
import { isConflict, newerError } from './postgres-error.ts'
import { type ReadPool, createReadPool } from './read-pool.ts'
import { requireSchemaName } from './schema-name.ts'
import { createServing } from './serving.ts'
import { type Soundness, createSoundness } from './soundness.ts'
import { createTouchedKeys } from './touched.ts'
import { type OpenBatch, createWriteQueue } from './write-queue.ts'
import { type Begin, type Writer, createWriter } from './writer.ts'

export interface PostgresOptions {
  /** `postgresql://user:password@host:5432/database`, in the syntax of libpq. */
  readonly url: string
  /**
   * The schema that holds the tables; created when it is missing. Lower-case letters, digits and
   * `_`, at most 50.
   *
   * @default 'quire'
   */
  readonly schema?: string
  /**
   * The maximum number of connections of this process, at least 7. Two write, one listens, two
   * announce jobs; the rest read, a quarter of them slow reads.
   *
   * @default 12
   */
  readonly maxConnections?: number
  /**
   * Whether to refuse an empty or missing schema instead of creating the tables, for commands that
   * work on an existing installation.
   *
   * @default false
   */
  readonly mustExist?: boolean
}

/** The state of the database for a health page. */
export interface PostgresInfo extends Migrated {
  readonly schema: string
}

/** A store on a PostgreSQL database. */
export interface PostgresStore extends Store {
  /** The other processes that have this schema open. */
  readonly peers: Peers
  readonly dispatch: JobDispatch
  info(): PostgresInfo
}

/**
 * Opens the store on a schema of a database. Other processes may open it at the same time. Creates
 * the tables in a new schema; upgrades an older one.
 *
 * Errors: StoreOpenError, whose message says what to do.
 */
export async function openPostgresStore(options: PostgresOptions): Promise<PostgresStore> {
  const { url, schema = 'quire', maxConnections = 12, mustExist = false } = options
  requireSchemaName(schema)
  const target = { url, schema }
  const migrated = await migrate(target, postgresMigrations, { mustExist })
  const opened = openConnections(target, maxConnections)
  try {
    return await assemble(opened, { ...migrated, schema })
  } catch (error) {
    await release(opened)
    throw error
  }
}

interface Opened {
  readonly target: Target
  readonly names: StatementNames
  readonly readers: ReadPool
  readonly heavy: ReadPool
  readonly writers: readonly Writer[]
  readonly dispatcher: Dispatcher
}

/** The number of connections with a fixed use: two write, one listens, two announce jobs. */
const ONE_USE = 5

function openConnections(target: Target, maxConnections: number): Opened {
  const forReads = Math.max(2, maxConnections - ONE_USE)
  const forLong = Math.max(1, Math.floor(forReads / 4))
  const names = createStatementNames()
  return {
    target,
    names,
    readers: createReadPool(() => openPool(target, patience.read, forReads - forLong)),
    heavy: createReadPool(() => openPool(target, patience.heavy, forLong)),
    writers: [createWriter(target, names), createWriter(target, names)],
    dispatcher: createDispatcher(target),
  }
}

/**
 * The idle time after which a connection is closed, in ms. Its parsed statements are lost with it.
 */
const IDLE_MS = 60_000

function openPool(target: Target, waits: (typeof patience)[keyof typeof patience], max: number): Pool {
  const pool = new Pool({ ...clientConfig(target, waits), max, idleTimeoutMillis: IDLE_MS })
  // For idle connections, which the pool has already removed.
  pool.on('error', () => undefined)
  return pool
}

async function release({ readers, heavy, writers, dispatcher }: Opened): Promise<void> {
  const closed = writers.map((writer) => writer.close())
  await Promise.all([...closed, readers.end(), heavy.end(), dispatcher.stop()])
}

async function assemble(opened: Opened, info: PostgresInfo): Promise<PostgresStore> {
  const { target, names, readers, heavy, writers, dispatcher } = opened
  let closing: Promise<void> | null = null
  let open = true
  const requireOpen = () => {
    if (!open) throw closedError()
  }
  const soundness = createSoundness()
  const serving = createServing(target, (statement) => readers.run(statement))
  const runIn =
    (pool: ReadPool): Run =>
    async (statement) => {
      requireOpen()
      return soundness.watch(() => pool.run(statement))
    }
  const createReader = (pool: ReadPool): SqlDriver => createDriver(runIn(pool), names)
  const peers = createPeers()
  const feed = createCommitFeed(target, peers, (changes) => store.refresh(changes))
  const reader = createReader(readers)
  const store: SqlStore = await openSqlStore({
    dialect: postgresDialect,
    reader,
    heavy: createReader(heavy),
    reindexing: {
      read: prepareReadWords(reader, postgresDialect),
      write: (words) => soundness.watch(() => queue.write((batch) => batch.writeWords(words))),
    },
    isReceived: () => feed.isReceived(),
    requireOpen,
  })
  const { schemaVersion } = info
  const queue = createWriteQueue(
    writers.map((writer) => {
      const openBatch = store.prepareBatches(writer.driver)
      return (how: Begin) =>
        beginBatch({ target, openBatch, writer, feed, dispatcher, soundness, schemaVersion }, how)
    }),
  )
  await Promise.all([feed.start(), dispatcher.start()])
  const close = async () => {
    await queue.drain()
    open = false
    await feed.stop()
    await release(opened)
  }
  return {
    ...store.reader,
    indexes: store.indexes,
    commits: createCommits({
      run: runIn(readers),
      generation: () => store.reader.records.generation(),
    }),
    peers,
    dispatch: { follow: (wake) => dispatcher.follow(wake) },
    transaction: (work, options) =>
      serving.watch(() => soundness.watch(() => queue.write((batch) => batch.run(work), options))),
    async ping() {
      requireOpen()
      queue.requireOpen()
      soundness.require()
      await serving.require()
    },
    close: () => (closing ??= close()),
    info: () => info,
  }
}

interface Writing {
  readonly target: Target
  readonly openBatch: OpenSqlBatch
  readonly writer: Writer
  readonly feed: CommitFeed
  readonly dispatcher: Dispatcher
  readonly soundness: Soundness
  /** The schema version that the statements are written for. */
  readonly schemaVersion: number
}

/** Begins a transaction that sees all earlier commits of all processes. */
async function beginBatch(writing: Writing, how: Begin): Promise<OpenBatch<Batch>> {
  const { openBatch, writer, feed, soundness } = writing
  try {
    soundness.require()
    const { announced, schemaVersion, since } = await writer.begin(how)
    if (schemaVersion > writing.schemaVersion) throw newerError(schemaVersion)
    await feed.catchUp(announced)
    const keys = createTouchedKeys((key) => writer.hold(key))
    const batch = openBatch(keys)
    return {
      on: batch,
      commit: () => commitBatch(writing, batch, () => writer.end(since, keys.touched())),
      abandon: () => writer.abandon(),
    }
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/**
 * Commits what transactions have written. From `end` on, the commits of other processes wait, so
 * nothing is awaited that does not come from the database. Notifies other processes, in the same
 * transaction, of changes to data that they cache.
 */
async function commitBatch(
  { target, writer, feed, dispatcher, soundness }: Writing,
  batch: Batch,
  end: () => Promise<void>,
): Promise<void> {
  soundness.require()
  await batch.ending()
  const jobs = batch.jobs()
  if (jobs.length > 0) await dispatcher.post(jobs, (text, values) => writer.post(text, values))
  const changes = batch.changes()
  const isAnnounced = changes.branches || changes.records.length > 0
  const notice: CommitNotice = { ...changes, by: feed.self }
  try {
    await end()
    await batch.record()
    const [number] = await Promise.all([
      isAnnounced ? writer.announce(channelOf(target.schema), notice) : null,
      writer.commit(),
    ])
    batch.committed()
    if (number !== null) feed.completed(number)
  } catch (error) {
    if (!isConflict(error)) feed.lost()
    if (jobs.length > 0) dispatcher.repair()
    throw error
  }
}
