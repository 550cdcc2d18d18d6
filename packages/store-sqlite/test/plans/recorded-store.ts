import { type StoreReader, type Transaction } from '@quire/core/ports'
import {
  type SqlDriver,
  type SqlWriteDriver,
  compileQuery,
  openSqlStore,
  prepareReadWords,
  prepareWriteWords,
  sqliteDialect,
  sqliteMigrations,
} from '@quire/store-sql'
import Database from 'better-sqlite3'
import { createDriver } from '../../src/sqlite-driver.ts'

/** A store in memory that records the text of every statement that it prepares or runs. */
export interface RecordedStore {
  readonly database: Database.Database
  readonly reader: StoreReader
  readonly write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** The statements recorded since the last call. */
  readonly takeTexts: () => readonly string[]
}

/** Opens a recorded store with the newest schema. */
export async function openRecorded(): Promise<RecordedStore> {
  const database = new Database(':memory:')
  for (const { sql } of sqliteMigrations) database.exec(sql)
  const noted = new Set<string>()
  const guard = { check: () => undefined, failed: () => undefined }
  const reader = noting(createDriver(database, guard), noted)
  const writer: SqlWriteDriver = {
    ...noting(createDriver(database, guard), noted),
    savepoint: (work) => work(),
  }
  const reindexing = {
    read: prepareReadWords(reader, sqliteDialect),
    write: prepareWriteWords(writer, sqliteDialect),
  }
  const connections = { dialect: sqliteDialect, reader, heavy: reader, reindexing }
  const store = await openSqlStore({ ...connections, requireOpen: () => undefined })
  const openBatch = store.prepareBatches(writer)
  return {
    database,
    reader: store.reader,
    async write(work) {
      const batch = openBatch()
      const result = await batch.run(work)
      await batch.ending()
      await batch.record()
      batch.committed()
      return result
    },
    takeTexts() {
      const texts = [...noted]
      noted.clear()
      return texts
    },
  }
}

function noting(driver: SqlDriver, noted: Set<string>): SqlDriver {
  return {
    prepare(query) {
      const { text } = compileQuery(sqliteDialect, query)
      const note = () => void noted.add(text)
      note()
      const prepared = driver.prepare<never>(query)
      return {
        all: (values, mostText) => (note(), prepared.all(values, mostText)),
        get: (values) => (note(), prepared.get(values)),
        run: (values) => (note(), prepared.run(values)),
        send: (values) => (note(), prepared.send(values)),
      }
    },
  }
}
