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
import type { SqliteOptions } from './sqlite-options.ts'
import { StoreOpenError } from './store-open-error.ts'

/** A database file that no other process has open, with the newest schema. */
export interface OpenedFile {
  readonly file: string
  readonly writer: Database.Database
  readonly reader: Database.Database
  readonly lock: FileLock
}

/**
 * Opens a database file. Creates the schema in a new one; copies an older one, then upgrades it.
 * Errors: StoreOpenError, whose message says what to do.
 */
export function openFile(options: SqliteOptions): OpenedFile {
  const file = locate(options.file)
  try {
    return openLocated(file, options)
  } catch (error) {
    // Only after locating the file, so that the reserve of another server is not released.
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

/**
 * Merges the log into the file, so that a closed database is a single file. A failure loses
 * nothing; the next start repairs it.
 */
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

/**
 * 8 KiB, so that an item of some kilobytes fits on one page. With 4 KiB a read of it takes a third
 * longer, with 16 KiB a write does.
 */
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
