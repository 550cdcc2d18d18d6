import { type Reindexing, prepareReadWords, prepareWriteWords, sqliteDialect } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { applySettings, limitSize, writerSettings } from '../pragmas.ts'
import { createSearchMaintenance } from '../search-maintenance.ts'
import { createDriver } from '../sqlite-driver.ts'
import { translate } from '../sqlite-error.ts'
import type { ThreadSetup } from './protocol.ts'

const guard = { check: () => undefined, failed: translate }

/** Prepares the reading of words over a connection, which may be shared with other reads. */
export function createReadWords(reader: Database.Database): Reindexing['read'] {
  return prepareReadWords(createDriver(reader, guard), sqliteDialect)
}

/** Opens a writing connection. The caller must keep everything else from writing meanwhile. */
export function openWriteWords({ file, maxBytes }: ThreadSetup): Reindexing['write'] {
  const database = new Database(file, { fileMustExist: true })
  applySettings(database, writerSettings)
  // A power failure may lose the last parts. The index is then as it was before them, and they are
  // rebuilt.
  database.pragma('synchronous = NORMAL')
  if (maxBytes !== undefined) limitSize(database, maxBytes)
  const write = prepareWriteWords(createDriver(database, guard), sqliteDialect)
  const maintenance = createSearchMaintenance(database)
  return async (words) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      await write(words)
      maintenance.beforeCommit(words.documents.length)
      database.exec('COMMIT')
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK')
    }
  }
}
