import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Migration, newestVersion, oldestVersion } from '@quire/store-sql'
import type { Database } from 'better-sqlite3'
import { StoreOpenError } from './store-open-error.ts'

/** `QUIR` in the header of the file, which identifies Quire's databases. */
const APPLICATION_ID = 0x51_55_49_52

/**
 * Upgrades the schema of an open database to the newest version: all steps or none. A database with
 * content is first copied to `<file>.before-<version>`. Call with the file's lock held.
 *
 * Errors: StoreOpenError `newer` for the schema of a newer server, `unreleased` for one from before
 * the first release, `notOurs` for the database of another program. The database is then unchanged.
 */
export function migrate(database: Database, migrations: readonly Migration[]): void {
  const newest = newestVersion(migrations)
  const current = requireKnownVersion(database, migrations)
  const missing = migrations.filter(({ version }) => version > current)
  if (missing.length === 0) return
  if (current > 0) storeCopy(database, `${database.name}.before-${newest}`)
  applyAll(database, missing, newest)
}

/**
 * The version of the schema, if the steps can start from it; 0 for an empty database. Changes
 * nothing.
 *
 * Errors: as `migrate`.
 */
export function requireKnownVersion(database: Database, migrations: readonly Migration[]): number {
  const newest = newestVersion(migrations)
  const current = currentVersion(database)
  if (current > newest) throw newer(database.name, current, newest)
  if (current > 0 && current < oldestVersion(migrations)) throw unreleased(database.name, current, newest)
  return current
}

/** The version of the schema; 0 for an empty database. */
export function currentVersion(database: Database): number {
  const isOurs = database.pragma('application_id', { simple: true }) === APPLICATION_ID
  const isEmpty = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0
  if (!isOurs && !isEmpty) {
    throw new StoreOpenError('notOurs', `${database.name} is not a database of Quire: choose another file.`)
  }
  return isOurs ? Number(database.pragma('user_version', { simple: true })) : 0
}

function newer(file: string, current: number, newest: number): StoreOpenError {
  return new StoreOpenError(
    'newer',
    `${file} has schema ${current}, this server knows ${newest}: start the newer server, or restore a backup from before.`,
  )
}

function unreleased(file: string, current: number, newest: number): StoreOpenError {
  return new StoreOpenError(
    'unreleased',
    `${file} was made by an unreleased version of Quire (schema ${current}; this one needs ${newest}): move its folder away and start with an empty one.`,
  )
}

function applyAll(database: Database, migrations: readonly Migration[], newest: number): void {
  const apply = database.transaction(() => {
    for (const { sql } of migrations) database.exec(sql)
    database.pragma(`application_id = ${APPLICATION_ID}`)
    database.pragma(`user_version = ${newest}`)
  })
  apply.exclusive()
}

/**
 * The copy is written under another name and renamed once it is complete on disk, so a file with
 * the final name is always a good copy.
 */
function storeCopy(database: Database, copy: string): void {
  const aside = `${copy}.partial`
  rmSync(aside, { force: true })
  database.prepare('VACUUM INTO ?').run(aside)
  syncPath(aside)
  renameSync(aside, copy)
  syncPath(dirname(copy))
}

function syncPath(path: string): void {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
