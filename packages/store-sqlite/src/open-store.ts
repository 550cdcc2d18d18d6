import { dirname } from 'node:path'
import type { Store } from '@quire/core/ports'
import { openSqlStore, sqliteDialect, sqliteMigrations } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { locate, unwritable } from './folder.ts'
import { createHeavyDriver } from './heavy-driver.ts'
import { type HeavyWorker, createHeavyWorker } from './heavy-worker.ts'
import { type FileLock, lockFile } from './lock.ts'
import { currentVersion, migrate } from './migrate.ts'
import {
  applySettings,
  limitSize,
  readSettings,
  readerSettings,
  requireVersion,
  versionOf,
  writerSettings,
} from './pragmas.ts'
import { createDriver, createWriteDriver } from './sqlite-driver.ts'
import { createSearchUpkeep } from './search-upkeep.ts'
import { createSnapshot } from './snapshot.ts'
import { sqliteCode, translate } from './sqlite-error.ts'
import { StoreOpenError } from './store-open-error.ts'
import { closedError, createWriteQueue, createWriteState, guardWrites } from './write-queue.ts'

/** How to open a database. */
export interface SqliteOptions {
  /** The database file; made when it is not there. Beside it stand `-wal`, `-shm` and `.lock`. */
  readonly file: string
  /** The most bytes the file may grow to, in steps of a page: writes beyond are refused as `full` while reads go on. Default: the disk. */
  readonly maxBytes?: number
}

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
  const file = locate(options.file)
  const opened: Closable[] = []
  try {
    const lock = lockFile(file)
    opened.push({ close: () => lock.release() })
    const writer = openWriter(file, options, opened)
    const reader = openReader(file, opened)
    const [worker, indexer] = [
      createHeavyWorker({ ...options, file }),
      createHeavyWorker({ ...options, file }),
    ]
    return await assemble({ file, lock, writer, reader, worker, indexer })
  } catch (error) {
    for (const { close } of opened.toReversed()) close()
    throw refusal(file, error)
  }
}

interface Closable {
  readonly close: () => void
}

interface Opened {
  readonly file: string
  readonly lock: FileLock
  readonly writer: Database.Database
  readonly reader: Database.Database
  readonly worker: HeavyWorker
  /** Makes the index of words anew, while writers wait: it must not wait for what others read. */
  readonly indexer: HeavyWorker
}

/** 8 KiB: an item of some kilobytes stays on one page. With 4 KiB a read of it takes a third longer, with 16 KiB a write does. */
const PAGE_SIZE = 8_192

function openWriter(file: string, { maxBytes }: SqliteOptions, opened: Closable[]): Database.Database {
  const database = new Database(file)
  opened.push({ close: () => void database.close() })
  requireVersion(versionOf(database))
  database.pragma(`page_size = ${PAGE_SIZE}`)
  applySettings(database, writerSettings)
  migrate(database, sqliteMigrations)
  if (maxBytes !== undefined) limitSize(database, maxBytes)
  return database
}

function openReader(file: string, opened: Closable[]): Database.Database {
  const database = new Database(file, { readonly: true, fileMustExist: true })
  opened.push({ close: () => void database.close() })
  applySettings(database, readerSettings)
  return database
}

async function assemble(opened: Opened): Promise<SqliteStore> {
  const { file, writer, reader, worker, indexer } = opened
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
    reindex: (part) => queue.exclusive(() => indexer.run('reindex', part)),
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
    await Promise.all([worker.close(), indexer.close()])
    release(opened)
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

/** The log is folded into the file, so that a closed database is one file; a failure of that loses nothing and is repaired at the next start. */
function release({ writer, reader, lock }: Opened): void {
  try {
    reader.close()
    writer.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    writer.close()
    lock.release()
  }
}

function refusal(file: string, error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === 'SQLITE_NOTADB') {
    return new StoreOpenError('notDatabase', `${file} is not a SQLite database: choose another file.`, {
      cause: error,
    })
  }
  if (code === 'SQLITE_CANTOPEN' || code?.startsWith('SQLITE_READONLY'))
    return unwritable(dirname(file), error)
  return translate(error)
}
