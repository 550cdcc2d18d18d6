import type { Database } from 'better-sqlite3'
import { StoreOpenError } from './store-open-error.ts'

/** A setting of a connection, and the value that SQLite reports when it is in effect. */
interface Setting {
  readonly name: string
  readonly set: string | number
  readonly holds: string | number
}

/**
 * Set first, because the statements that follow may wait for a lock. 5 s; half gives up during a
 * checkpoint, twice outlasts a client's timeout.
 */
const wait: Setting = { name: 'busy_timeout', set: 5_000, holds: 5_000 }

/**
 * For every connection. Memory-mapped reads have turned full disks and truncated files into crashes
 * and damage.
 */
const guarded: readonly Setting[] = [
  { name: 'foreign_keys', set: 'ON', holds: 1 },
  { name: 'mmap_size', set: 0, holds: 0 },
  { name: 'trusted_schema', set: 'OFF', holds: 0 },
  { name: 'cell_size_check', set: 'ON', holds: 1 },
]

/**
 * The number of log pages from which on a commit merges the log into the file: SQLite's default.
 */
export const AUTO_CHECKPOINT_PAGES = 1_000

/**
 * For the writing connection. FULL syncs the log before a commit returns. With NORMAL, the compiled
 * default for WAL here, a power failure loses acknowledged commits.
 */
const durable: readonly Setting[] = [
  { name: 'journal_mode', set: 'WAL', holds: 'wal' },
  { name: 'synchronous', set: 'FULL', holds: 2 },
  { name: 'wal_autocheckpoint', set: AUTO_CHECKPOINT_PAGES, holds: AUTO_CHECKPOINT_PAGES },
  { name: 'journal_size_limit', set: 67_108_864, holds: 67_108_864 },
]

/**
 * In a savepoint, SQLite keeps the original of each changed page. In memory, writing one item in a
 * savepoint costs a third less time than with the temporary file that is the default. A transaction
 * that changes 100 MB of pages holds as much memory while it runs.
 */
const undoInMemory: Setting = { name: 'temp_store', set: 'MEMORY', holds: 2 }

/** The settings of the writing connection. */
export const writerSettings: readonly Setting[] = [wait, ...durable, ...guarded, undoInMemory]

const readOnly: Setting = { name: 'query_only', set: 'ON', holds: 1 }

/**
 * The settings of the connection for slow reads. They walk each page once, so a large cache would
 * only waste memory.
 */
export const heavyReaderSettings: readonly Setting[] = [wait, ...guarded, readOnly]

/** The settings of reading connections. */
export const readerSettings: readonly Setting[] = [
  wait,
  ...guarded,
  readOnly,
  // 64 MiB of pages, in KiB, filled as they are read. With SQLite's default of 16 MB, a read by key
  // takes a third longer.
  { name: 'cache_size', set: -65_536, holds: -65_536 },
]

/**
 * Applies settings in order and checks that they are in effect. Errors: StoreOpenError `sqlite`.
 */
export function applySettings(database: Database, settings: readonly Setting[]): void {
  for (const { name, set } of settings) database.pragma(`${name} = ${set}`)
  for (const { name, holds } of settings) {
    const found = database.pragma(name, { simple: true })
    if (found !== holds) {
      throw new StoreOpenError(
        'sqlite',
        `SQLite keeps ${name} at ${String(found)} instead of ${holds}: use a local disk and the SQLite that comes with Quire.`,
      )
    }
  }
}

/** Limits the size to which this connection may grow the file. */
export function limitSize(database: Database, maxBytes: number): void {
  const pageSize = Number(database.pragma('page_size', { simple: true }))
  database.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
}

/** The current settings, by name. */
export function readSettings(database: Database): Readonly<Record<string, string>> {
  return Object.fromEntries(
    writerSettings.map(({ name }) => [name, String(database.pragma(name, { simple: true }))]),
  )
}

/**
 * Before 3.51.3, two connections that write and checkpoint the same WAL file could damage it
 * (https://sqlite.org/wal.html#walresetbug).
 */
const OLDEST = '3.51.3'

/** Errors: StoreOpenError `sqlite` for a SQLite version with a known bug that loses data. */
export function requireVersion(found: string): void {
  const older = found.localeCompare(OLDEST, 'en', { numeric: true }) < 0
  if (older)
    throw new StoreOpenError('sqlite', `SQLite ${found} can damage a database: use ${OLDEST} or newer.`)
}

/** The version of the linked SQLite. */
export function versionOf(database: Database): string {
  return String(database.prepare('SELECT sqlite_version()').pluck().get())
}
