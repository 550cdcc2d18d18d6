import Database from 'better-sqlite3'
import { dirname } from 'node:path'
import { unwritable } from './folder.ts'
import { sqliteCode } from './sqlite-error.ts'
import { StoreOpenError } from './store-open-error.ts'

/** A lock on a database file. While it is held, no other process can open a store on the file. */
export interface FileLock {
  release(): void
}

/**
 * How long to wait for a server that is shutting down, in ms. Twice exceeds the 2 s within which a
 * second server must give up.
 */
const PATIENCE = 1_000

/**
 * Locks a database by a side database in exclusive mode. The kernel releases its lock when the
 * process ends, however it ends. Errors: StoreOpenError `inUse` when another process holds it,
 * `folder` when the side database cannot be created.
 */
export function lockFile(file: string): FileLock {
  const database = openSide(`${file}.lock`)
  try {
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE; COMMIT')
  } catch (cause) {
    database.close()
    throw refusal(file, cause)
  }
  return { release: () => void database.close() }
}

function openSide(side: string): Database.Database {
  try {
    return new Database(side, { timeout: PATIENCE })
  } catch (cause) {
    throw unwritable(dirname(side), cause)
  }
}

function refusal(file: string, cause: unknown): unknown {
  const code = sqliteCode(cause)
  if (code?.startsWith('SQLITE_BUSY')) {
    return new StoreOpenError(
      'inUse',
      `Another server uses ${file}: stop it first, or choose another file.`,
      { cause },
    )
  }
  return code === null ? cause : unwritable(dirname(file), cause)
}
