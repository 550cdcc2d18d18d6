import { dirname } from 'node:path'
import { StoreUnavailable } from '@quire/core/ports'
import { sqliteMigrations } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { locate, unwritable } from './folder.ts'
import { type FileLock, lockFile } from './lock.ts'
import { migrate, requireKnownVersion } from './migrate.ts'
import {
  applySettings,
  limitSize,
  readerSettings,
  requireVersion,
  versionOf,
  writerSettings,
} from './pragmas.ts'
import { createReserve } from './reserve.ts'
import { createSoundness } from './soundness.ts'
import { sqliteCode } from './sqlite-error.ts'
import { StoreOpenError } from './store-open-error.ts'

/** How to open a database. */
export interface SqliteOptions {
  /** The database file; made when it is not there. Beside it stand `-wal`, `-shm` and `.lock`. */
  readonly file: string
  /** The most bytes the file may grow to, in steps of a page: writes beyond are refused as `full` while reads go on. Default: the disk. */
  readonly maxBytes?: number
  /**
   * Bytes that stay free on the disk of the file: while fewer are, `requireRoom` refuses. Never more than 5 % of the disk.
   *
   * @default 1_073_741_824
   */
  readonly minFreeBytes?: number
  /**
   * Whether a file beside the database, `.reserve`, keeps room for opening it on a full disk and for deleting there: 8 MiB, or 1 % of the disk.
   *
   * @default false
   */
  readonly reservesSpace?: boolean
}

/** A database file that nobody else has open, in the newest schema. */
export interface OpenedFile {
  readonly file: string
  readonly writer: Database.Database
  readonly reader: Database.Database
  readonly lock: FileLock
}

/**
 * Opens a database file. A new one gets the schema, an older one is brought to it after a copy was kept.
 * Errors: StoreOpenError, whose message says what to do.
 */
export function openFile(options: SqliteOptions): OpenedFile {
  const file = locate(options.file)
  try {
    return openLocated(file, options)
  } catch (error) {
    // Only now: somebody else's reserve is not to be given up.
    if (!isFullError(error) || !createReserve(file).giveUp()) throw error
    return openLocated(file, options)
  }
}

function isFullError(error: unknown): boolean {
  return error instanceof StoreUnavailable && error.kind === 'full'
}

function openLocated(file: string, options: SqliteOptions): OpenedFile {
  const opened: Closable[] = []
  try {
    const lock = lockFile(file)
    opened.push({ close: () => lock.release() })
    const writer = openWriter(file, options, opened)
    return { file, lock, writer, reader: openReader(file, opened) }
  } catch (error) {
    for (const { close } of opened.toReversed()) close()
    throw refusal(file, error)
  }
}

/** The log is folded into the file, so that a closed database is one file; a failure of that loses nothing and is repaired at the next start. */
export function closeFile({ writer, reader, lock }: OpenedFile): void {
  try {
    reader.close()
    writer.pragma('wal_checkpoint(TRUNCATE)')
  } finally {
    writer.close()
    lock.release()
  }
}

interface Closable {
  readonly close: () => void
}

/** 8 KiB: an item of some kilobytes stays on one page. With 4 KiB a read of it takes a third longer, with 16 KiB a write does. */
const PAGE_SIZE = 8_192

function openWriter(file: string, { maxBytes }: SqliteOptions, opened: Closable[]): Database.Database {
  const database = new Database(file)
  opened.push({ close: () => void database.close() })
  requireVersion(versionOf(database))
  requireKnownVersion(database, sqliteMigrations)
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

function refusal(file: string, error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === 'SQLITE_NOTADB') {
    return new StoreOpenError(
      'notDatabase',
      `${file} is not a SQLite database, or it is damaged: choose another file, or restore a backup.`,
      {
        cause: error,
      },
    )
  }
  if (code === 'SQLITE_CANTOPEN' || code?.startsWith('SQLITE_READONLY'))
    return unwritable(dirname(file), error)
  return createSoundness(file).meaningOf(error)
}
