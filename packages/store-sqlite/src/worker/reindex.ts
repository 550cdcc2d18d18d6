import { type Reindexed, type ReindexPart, prepareReindex, sqliteDialect } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { applySettings, limitSize, writerSettings } from '../pragmas.ts'
import { createSearchUpkeep } from '../search-upkeep.ts'
import { createWriteDriver } from '../sqlite-driver.ts'
import type { ThreadSetup } from './protocol.ts'

/** Makes parts of the search index anew, each in a transaction. */
export type Reindex = (part: ReindexPart) => Promise<Reindexed>

/** Opens a connection that writes. Whoever asks for a part keeps everybody else from writing meanwhile. */
export function openReindex({ file, maxBytes }: ThreadSetup): Reindex {
  const database = new Database(file, { fileMustExist: true })
  applySettings(database, writerSettings)
  // A power cut may take back the last parts: they are made again, and the index is as it was before them.
  database.pragma('synchronous = NORMAL')
  if (maxBytes !== undefined) limitSize(database, maxBytes)
  const guard = { check: () => undefined, failed: () => undefined }
  const reindex = prepareReindex(createWriteDriver(database, guard, { fresh: false }), sqliteDialect)
  const upkeep = createSearchUpkeep(database)
  return async (part) => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const reindexed = await reindex(part)
      upkeep(reindexed.done)
      database.exec('COMMIT')
      return reindexed
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK')
    }
  }
}
