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
export function isBroken(error: unknown): boolean {
  const code = sqliteCode(error instanceof StoreUnavailable ? error.cause : error)
  return code !== null && /^SQLITE_(?:IOERR|CORRUPT|NOTADB)/.test(code)
}

const meanings: readonly {
  readonly starts: string
  readonly kind: StoreUnavailable['kind']
  readonly message: string
}[] = [
  {
    starts: 'SQLITE_FULL',
    kind: 'full',
    message: 'The database has no room left: free space on its disk, then try again.',
  },
  { starts: 'SQLITE_BUSY', kind: 'busy', message: 'The database is busy: try again.' },
  { starts: 'SQLITE_LOCKED', kind: 'busy', message: 'The database is busy: try again.' },
  {
    starts: 'SQLITE_READONLY',
    kind: 'closed',
    message: 'The database cannot be written: check the mount and the rights of its folder.',
  },
  { starts: 'SQLITE_IOERR', kind: 'closed', message: 'The disk failed: check it, then restart the server.' },
  {
    starts: 'SQLITE_CANTOPEN',
    kind: 'closed',
    message: 'The database cannot be opened: check the rights of its folder.',
  },
  { starts: 'SQLITE_CORRUPT', kind: 'closed', message: 'The database is damaged: restore it from a backup.' },
  { starts: 'SQLITE_NOTADB', kind: 'closed', message: 'The database is damaged: restore it from a backup.' },
]
