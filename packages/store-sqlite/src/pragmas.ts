import type { Database } from 'better-sqlite3'
import { StoreOpenError } from './store-open-error.ts'

/** A setting of a connection, and what SQLite answers when it holds. */
interface Setting {
  readonly name: string
  readonly set: string | number
  readonly holds: string | number
}

/** Before everything else: the statements that follow may wait for a lock. 5 s; half gives up under a checkpoint, twice outlasts a client. */
const wait: Setting = { name: 'busy_timeout', set: 5_000, holds: 5_000 }

/** Of every connection. Memory-mapped reads have turned a full disk and a truncated file into crashes and damage. */
const guarded: readonly Setting[] = [
  { name: 'foreign_keys', set: 'ON', holds: 1 },
  { name: 'mmap_size', set: 0, holds: 0 },
  { name: 'trusted_schema', set: 'OFF', holds: 0 },
  { name: 'cell_size_check', set: 'ON', holds: 1 },
]

/** Pages of log from which on a commit folds it into the file: SQLite's own default. */
export const AUTO_CHECKPOINT_PAGES = 1_000

/**
 * Of the writing connection. FULL syncs the log before a commit returns: with NORMAL, which is what SQLite is compiled with here
 * for WAL, a power loss takes back what was acknowledged.
 */
const durable: readonly Setting[] = [
  { name: 'journal_mode', set: 'WAL', holds: 'wal' },
  { name: 'synchronous', set: 'FULL', holds: 2 },
  { name: 'wal_autocheckpoint', set: AUTO_CHECKPOINT_PAGES, holds: AUTO_CHECKPOINT_PAGES },
  { name: 'journal_size_limit', set: 67_108_864, holds: 67_108_864 },
]

/**
 * Each transaction is a savepoint, for which SQLite keeps the pages as they were: in memory it costs a third less time to write one
 * item than in the temporary file it makes otherwise. A transaction that changes 100 MB of pages holds as much memory for its length.
 */
const undoInMemory: Setting = { name: 'temp_store', set: 'MEMORY', holds: 2 }

/** The settings of the connection that writes. */
export const writerSettings: readonly Setting[] = [wait, ...durable, ...guarded, undoInMemory]

const readOnly: Setting = { name: 'query_only', set: 'ON', holds: 1 }

/** The settings of the connection that long reads have: what they walk is walked once, so that a cache of it would only take room. */
export const heavyReaderSettings: readonly Setting[] = [wait, ...guarded, readOnly]

/** The settings of connections that read. */
export const readerSettings: readonly Setting[] = [
  wait,
  ...guarded,
  readOnly,
  // 64 MiB of pages, in KiB, filled as they are read. With the 16 MB that SQLite takes by itself a read by key takes a third longer.
  { name: 'cache_size', set: -65_536, holds: -65_536 },
]

/** Sets them in order and makes sure that they hold. Errors: StoreOpenError `sqlite`. */
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

/** Keeps the file from growing beyond some bytes over this connection. */
export function limitSize(database: Database, maxBytes: number): void {
  const pageSize = Number(database.pragma('page_size', { simple: true }))
  database.pragma(`max_page_count = ${Math.max(1, Math.floor(maxBytes / pageSize))}`)
}

/** The settings as they are now, by name. */
export function readSettings(database: Database): Readonly<Record<string, string>> {
  return Object.fromEntries(
    writerSettings.map(({ name }) => [name, String(database.pragma(name, { simple: true }))]),
  )
}

/** Before 3.51.3 two connections that write and checkpoint one WAL file could damage it (https://sqlite.org/wal.html#walresetbug). */
const OLDEST = '3.51.3'

/** Errors: StoreOpenError `sqlite` for a SQLite with a known bug that loses data. */
export function requireVersion(found: string): void {
  const older = found.localeCompare(OLDEST, 'en', { numeric: true }) < 0
  if (older)
    throw new StoreOpenError('sqlite', `SQLite ${found} can damage a database: use ${OLDEST} or newer.`)
}

/** The version of the SQLite that is linked. */
export function versionOf(database: Database): string {
  return String(database.prepare('SELECT sqlite_version()').pluck().get())
}
