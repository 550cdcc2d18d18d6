import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'

/** The result code of an error of SQLite (`SQLITE_BUSY_SNAPSHOT`); null for any other error. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null
}

/**
 * Translates an error of SQLite to one of the port. Bugs in the code (a broken constraint, wrong
 * SQL) stay as they are.
 */
export function translate(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === null) return error
  const unavailable = meanings.find(({ starts }) => code.startsWith(starts))
  return unavailable
    ? new StoreUnavailable(unavailable.kind, `${unavailable.message} (${code})`, { cause: error })
    : error
}

/**
 * Whether the disk or the file can no longer be trusted, so that nothing more may be written. A
 * failed fsync is never retried.
 */
export function isDamage(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.kind === 'damaged'
}

/** The error for a full disk that SQLite reported as failing. */
export function fullError(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('full', `${noRoom} (${sqliteCode(cause)})`, { cause })
}

/** The error for damage that a check found; `found` is SQLite's description. */
export function damagedError(found: string): StoreUnavailable {
  return new StoreUnavailable('damaged', `${damaged} (${found})`)
}

const noRoom = 'The database has no room left: free space on its disk, then try again.'

const damaged =
  'The database is damaged and accepts no more writes: run `quire doctor`, then restore a backup.'

const meanings: readonly {
  readonly starts: string
  readonly kind: StoreUnavailable['kind']
  readonly message: string
}[] = [
  { starts: 'SQLITE_FULL', kind: 'full', message: noRoom },
  { starts: 'SQLITE_BUSY', kind: 'busy', message: 'The database is busy: try again.' },
  { starts: 'SQLITE_LOCKED', kind: 'busy', message: 'The database is busy: try again.' },
  {
    starts: 'SQLITE_READONLY',
    kind: 'closed',
    message: 'The database is read-only: check the mount and the permissions of its folder.',
  },
  {
    starts: 'SQLITE_IOERR',
    kind: 'damaged',
    message:
      'The disk of the database failed, and the database accepts no more writes: check the disk, run `quire doctor`, restore a backup if it finds damage, then restart the server.',
  },
  {
    starts: 'SQLITE_CANTOPEN',
    kind: 'closed',
    message: 'The database cannot be opened: check the permissions of its folder.',
  },
  { starts: 'SQLITE_CORRUPT', kind: 'damaged', message: damaged },
  { starts: 'SQLITE_NOTADB', kind: 'damaged', message: damaged },
]
