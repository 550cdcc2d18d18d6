import { type Reindexing, prepareReadWords, prepareWriteWords, sqliteDialect } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { applySettings, limitSize, writerSettings } from '../pragmas.ts'
import { createSearchMaintenance } from '../search-maintenance.ts'
import { createDriver, createWriteDriver } from '../sqlite-driver.ts'
import { translate } from '../sqlite-error.ts'
import type { ThreadSetup } from './protocol.ts'

const guard = { check: () => undefined, failed: translate }

/** Reads over a connection that may be used for more. */
export function createReadWords(reader: Database.Database): Reindexing['read'] {
  return prepareReadWords(createDriver(reader, guard), sqliteDialect)
}

/** Opens a connection that writes. Whoever asks for a part keeps everybody else from writing meanwhile. */
export function openWriteWords({ file, maxBytes }: ThreadSetup): Reindexing['write'] {
  const database = new Database(file, { fileMustExist: true })
  applySettings(database, writerSettings)
  // A power cut may take back the last parts: they are made again, and the index is as it was before them.
  database.pragma('synchronous = NORMAL')
  if (maxBytes !== undefined) limitSize(database, maxBytes)
  const write = prepareWriteWords(createWriteDriver(database, guard, { fresh: false }), sqliteDialect)
  const maintenance = createSearchMaintenance(database)
  return async (words) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      await write(words)
      maintenance(words.documents.length)
      database.exec('COMMIT')
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK')
    }
  }
}
