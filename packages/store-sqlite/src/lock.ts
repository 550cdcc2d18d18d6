import Database from 'better-sqlite3'
import { dirname } from 'node:path'
import { unwritable } from './folder.ts'
import { sqliteCode } from './sqlite-error.ts'
import { StoreOpenError } from './store-open-error.ts'

/** A hold on a database file: while it is held no other process opens a store on it. */
export interface FileLock {
  release(): void
}

/** How long a server that is just stopping may take to let go, in ms. Twice is past the 2 s within which a second server must give up. */
const PATIENCE = 1_000

/**
 * Takes the lock of a database: a side database in exclusive mode, whose lock the kernel frees with the process, however that ends.
 * Errors: StoreOpenError `inUse` when another process holds it, `folder` when it cannot be made.
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
