import { StoreUnavailable } from '@quire/core/ports'
import Database from 'better-sqlite3'

/** The result code of an error of SQLite (`SQLITE_BUSY_SNAPSHOT`); null for any other error. */
export function sqliteCode(error: unknown): string | null {
  return error instanceof Database.SqliteError ? error.code : null
}

/** An error of SQLite as the port knows it. What is a fault of the code (a broken constraint, wrong SQL) stays as it is. */
export function translate(error: unknown): unknown {
  const code = sqliteCode(error)
  if (code === null) return error
  const unavailable = meanings.find(({ starts }) => code.startsWith(starts))
  return unavailable
    ? new StoreUnavailable(unavailable.kind, `${unavailable.message} (${code})`, { cause: error })
    : error
}

/** Whether the disk or the file is no longer to be trusted, so that nothing more may be written: a failed fsync is never retried. */
export function isDamage(error: unknown): error is StoreUnavailable {
  return error instanceof StoreUnavailable && error.kind === 'damaged'
}

/** The error of a disk that is full where SQLite took it for one that fails. */
export function fullError(cause: unknown): StoreUnavailable {
  return new StoreUnavailable('full', `${noRoom} (${sqliteCode(cause)})`, { cause })
}

/** The error of damage that was found by looking for it. `found`: what SQLite says of it. */
export function damagedError(found: string): StoreUnavailable {
  return new StoreUnavailable('damaged', `${damaged} (${found})`)
}

const noRoom = 'The database has no room left: free space on its disk, then try again.'

const damaged =
  'The database is damaged, and nothing more is written: run `quire doctor`, then restore a backup.'

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
    message: 'The database cannot be written: check the mount and the rights of its folder.',
  },
  {
    starts: 'SQLITE_IOERR',
    kind: 'damaged',
    message:
      'The disk under the database failed, and nothing more is written: check the disk, run `quire doctor`, restore a backup if it finds damage, then restart the server.',
  },
  {
    starts: 'SQLITE_CANTOPEN',
    kind: 'closed',
    message: 'The database cannot be opened: check the rights of its folder.',
  },
  { starts: 'SQLITE_CORRUPT', kind: 'damaged', message: damaged },
  { starts: 'SQLITE_NOTADB', kind: 'damaged', message: damaged },
]
