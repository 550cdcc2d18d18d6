import { randomUUID } from 'node:crypto'
import type { Store } from '@quire/core/ports'
import { closedError, openSqlStore, sqliteDialect } from '@quire/store-sql'
import { createDeferredWrites } from './deferred-writes.ts'
import { createHeavyDriver } from './heavy-driver.ts'
import { type HeavyWorker, createHeavyWorker } from './heavy-worker.ts'
import { currentVersion } from './migrate.ts'
import { type OpenedFile, closeFile, openFile } from './open-file.ts'
import type { SqliteOptions } from './sqlite-options.ts'
import { readSettings, versionOf } from './pragmas.ts'
import { createDriver } from './sqlite-driver.ts'
import { createSearchMaintenance } from './search-maintenance.ts'
import { createSnapshot } from './snapshot.ts'
import { createCheck } from './check.ts'
import { createRowRoom } from './row-room.ts'
import { type Soundness, createSoundness } from './soundness.ts'
import { isDamage, translate } from './sqlite-error.ts'
import { StoreOpenError } from './store-open-error.ts'
import { createWriteDriver } from './write-driver.ts'
import { createWriteQueue, createWriteState, guardWrites } from './write-queue.ts'

/** The state of the database for a health page. */
export interface SqliteInfo {
  readonly file: string
  readonly sqliteVersion: string
  readonly schemaVersion: number
  /** Settings of the writing connection by name, as SQLite reports them. */
  readonly settings: Readonly<Record<string, string>>
  /**
   * When the whole file was last checked (Unix ms), and the result; null before the first check.
   */
  readonly checked: { readonly time: number; readonly isSound: boolean } | null
}

/** A store on a SQLite database. */
export interface SqliteStore extends Store {
  info(): SqliteInfo
}

/**
 * Opens the store on a database file. No other process can open the file until the store is closed
 * or the process ends. Creates the schema in a new file; copies an older one, then upgrades it.
 *
 * Errors: StoreOpenError, whose message says what to do.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  requireNode(process.versions.node)
  requireDisk(process.env)
  requireFile(options)
  const opened = openFile(options)
  try {
    return await assemble(opened, options)
  } catch (error) {
    closeFile(opened)
    throw translate(error)
  }
}

/** On older versions, SQLite's driver ends the process without a message. Errors: StoreOpenError. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 19)) return
  throw new StoreOpenError(
    'node',
    `@quire/store-sqlite needs Node 22.19 or newer, and this is ${version}: install a newer Node.`,
  )
}

/** SQLite's name for a database in memory would be a file with this name. Errors: StoreOpenError. */
function requireFile({ file }: SqliteOptions): void {
  if (file !== ':memory:') return
  throw new StoreOpenError(
    'memory',
    'The store on SQLite keeps its data in a file. For a store in memory, use createMemoryStore of @quire/core/memory.',
  )
}

/** What serverless hosts set in the environment of functions, whose files are gone after a while. */
const serverless = { VERCEL: 'Vercel', NETLIFY: 'Netlify', AWS_LAMBDA_FUNCTION_NAME: 'AWS Lambda' }

/** Errors: StoreOpenError on a host that keeps no files. */
export function requireDisk(environment: Readonly<Record<string, string | undefined>>): void {
  for (const [variable, host] of Object.entries(serverless))
    if (environment[variable])
      throw new StoreOpenError(
        'serverless',
        `@quire/store-sqlite keeps its data in a file, and functions on ${host} keep none: use @quire/store-postgres there.`,
      )
}

interface Threads {
  readonly worker: HeavyWorker
  /** Computes the words for the search index. */
  readonly words: HeavyWorker
  /** Writes them. Writers wait meanwhile, so it must not queue behind reads. */
  readonly indexer: HeavyWorker
}

function threadsOf({ file, maxBytes }: SqliteOptions, meaningOf: Soundness['meaningOf']): Threads {
  const setup = { file, ...(maxBytes !== undefined && { maxBytes }) }
  return {
    worker: createHeavyWorker(setup, { meaningOf }),
    words: createHeavyWorker({ ...setup, nice: 19 }, { meaningOf }),
    // Writers wait for this thread, so it does not get the lowest priority.
    indexer: createHeavyWorker({ ...setup, nice: 5 }, { meaningOf }),
  }
}

async function assemble(opened: OpenedFile, options: SqliteOptions): Promise<SqliteStore> {
  const { file, writer, reader } = opened
  const room = createRowRoom(file, options)
  const soundness = createSoundness(file, () => room.ranOut())
  const { worker, words, indexer } = threadsOf({ ...options, file }, soundness.meaningOf)
  const check = createCheck(file)
  let checked: SqliteInfo['checked'] = null
  let closing: Promise<void> | null = null
  let open = true
  const requireOpen = () => {
    if (!open) throw closedError()
  }
  const state = createWriteState(soundness)
  const guard = guardWrites(writer, state)
  const writes = createDeferredWrites(writer, guard)
  const snapshot = createSnapshot(reader)
  const beforeRead = () => {
    requireOpen()
    snapshot.hold()
  }
  const failed = (error: unknown) => {
    snapshot.release()
    return soundness.meaningOf(error)
  }
  const store = await openSqlStore({
    dialect: sqliteDialect,
    reader: createDriver(reader, { check: beforeRead, failed }),
    heavy: createHeavyDriver(worker, requireOpen),
    reindexing: {
      async read(part) {
        requireOpen()
        return words.run('readWords', part)
      },
      write: (part) => queue.exclusive(() => indexer.run('writeWords', part)),
    },
    requireOpen,
  })
  const queue = createWriteQueue(writer, state, {
    openBatch: store.prepareBatches(createWriteDriver(writer, guard, writes)),
    writes,
    maintenance: createSearchMaintenance(writer),
    beforeCommit: () => snapshot.release(),
  })
  const close = async () => {
    await queue.drain()
    open = false
    await Promise.all([worker.close(), words.close(), indexer.close(), check.stop()])
    closeFile(opened)
    room.close()
  }
  return {
    ...store.reader,
    indexes: store.indexes,
    opening: randomUUID(),
    commits: { latest: store.commits, catchUp: async () => undefined },
    transaction: (work, options) => queue.transaction(work, options),
    async ping() {
      requireOpen()
      queue.requireSound()
      reader.prepare('SELECT 1').get()
    },
    requireRoom: () => room.require(),
    async verify() {
      requireOpen()
      try {
        await check.run()
      } catch (error) {
        const meaning = soundness.meaningOf(error)
        if (isDamage(meaning)) checked = { time: Date.now(), isSound: false }
        throw meaning
      }
      checked = { time: Date.now(), isSound: true }
    },
    close: () => (closing ??= close()),
    info: () => ({
      file,
      sqliteVersion: versionOf(writer),
      schemaVersion: currentVersion(writer),
      settings: readSettings(writer),
      checked,
    }),
  }
}
