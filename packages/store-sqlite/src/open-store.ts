import type { Store } from '@quire/core/ports'
import { closedError, openSqlStore, sqliteDialect } from '@quire/store-sql'
import { createHeavyDriver } from './heavy-driver.ts'
import { type HeavyWorker, createHeavyWorker } from './heavy-worker.ts'
import { currentVersion } from './migrate.ts'
import { type OpenedFile, type SqliteOptions, closeFile, openFile } from './open-file.ts'
import { readSettings, versionOf } from './pragmas.ts'
import { createDriver, createWriteDriver } from './sqlite-driver.ts'
import { createSearchUpkeep } from './search-upkeep.ts'
import { createSnapshot } from './snapshot.ts'
import { translate } from './sqlite-error.ts'
import { createWriteQueue, createWriteState, guardWrites } from './write-queue.ts'

/** What a health page shows. */
export interface SqliteInfo {
  readonly file: string
  readonly sqliteVersion: string
  readonly schemaVersion: number
  /** Settings of the writing connection as SQLite answers them, by name. */
  readonly settings: Readonly<Record<string, string>>
}

/** A store on a SQLite database. */
export interface SqliteStore extends Store {
  info(): SqliteInfo
}

/**
 * Opens the store on a database file, which no other process can open until it is closed or the process ends. A new file gets
 * the schema, an older one is brought to it after a copy was kept.
 *
 * Errors: StoreOpenError, whose message says what to do.
 */
export async function openSqliteStore(options: SqliteOptions): Promise<SqliteStore> {
  const opened = openFile(options)
  try {
    return await assemble({ ...opened, ...threadsOf({ ...options, file: opened.file }) })
  } catch (error) {
    closeFile(opened)
    throw translate(error)
  }
}

interface Threads {
  readonly worker: HeavyWorker
  /** Makes words for the index of words. */
  readonly words: HeavyWorker
  /** Writes them, while writers wait: it must not wait for what others read. */
  readonly indexer: HeavyWorker
}

function threadsOf({ file, maxBytes }: SqliteOptions): Threads {
  const setup = { file, ...(maxBytes !== undefined && { maxBytes }) }
  return {
    worker: createHeavyWorker(setup),
    words: createHeavyWorker({ ...setup, nice: 19 }),
    // Writers wait for it: where it went last of all, so would they.
    indexer: createHeavyWorker({ ...setup, nice: 5 }),
  }
}

async function assemble(opened: OpenedFile & Threads): Promise<SqliteStore> {
  const { file, writer, reader, worker, words, indexer } = opened
  let closing: Promise<void> | null = null
  let open = true
  const requireOpen = () => {
    if (!open) throw closedError()
  }
  const state = createWriteState()
  const snapshot = createSnapshot(reader)
  const beforeRead = () => {
    requireOpen()
    snapshot.hold()
  }
  const store = await openSqlStore({
    dialect: sqliteDialect,
    reader: createDriver(reader, { check: beforeRead, failed: () => snapshot.release() }),
    heavy: createHeavyDriver(worker, requireOpen),
    writer: createWriteDriver(writer, guardWrites(writer, state), state),
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
    openBatch: () => store.openBatch(),
    upkeep: createSearchUpkeep(writer),
    beforeCommit: () => snapshot.release(),
  })
  const close = async () => {
    await queue.drain()
    open = false
    await Promise.all([worker.close(), words.close(), indexer.close()])
    closeFile(opened)
  }
  return {
    ...store.reader,
    indexes: store.indexes,
    transaction: (work, options) => queue.transaction(work, options),
    async ping() {
      requireOpen()
      queue.requireSound()
      reader.prepare('SELECT 1').get()
    },
    close: () => (closing ??= close()),
    info: () => ({
      file,
      sqliteVersion: versionOf(writer),
      schemaVersion: currentVersion(writer),
      settings: readSettings(writer),
    }),
  }
}
