import type { StoreReader, Transaction } from '@quire/core/ports'
import {
  type SqlDriver,
  type GroupedParameter,
  type SqlWriteDriver,
  compileQuery,
  openSqlStore,
  postgresDialect,
  postgresMigrations,
  prepareReadWords,
  prepareWriteWords,
} from '@quire/store-sql'
import { Client } from 'pg'
import { clientConfig, patience } from '../../src/connect.ts'
import { migrate } from '../../src/migrate.ts'
import { createDriver, createStatementNames } from '../../src/postgres-driver.ts'
import { databaseUrl, dropSchema, testSchema } from '../../../../test/services/postgres.ts'

/**
 * A statement with the values that it ran with; without values when it is planned once for all
 * values.
 */
export interface Recorded {
  readonly text: string
  readonly values: readonly GroupedParameter[] | null
}

/** A store on one connection that records every statement that it prepares or runs. */
export interface RecordedStore {
  readonly client: Client
  readonly reader: StoreReader
  readonly write: <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>
  /** The statements recorded since the last call, each text once. */
  readonly takeStatements: () => readonly Recorded[]
  readonly dispose: () => Promise<void>
}

/** Opens a recorded store on a schema of its own. */
export async function openRecorded(): Promise<RecordedStore> {
  const target = { url: databaseUrl(), schema: testSchema() }
  await migrate(target, postgresMigrations)
  const client = new Client(clientConfig(target, patience.heavy))
  await client.connect()
  const noted = new Map<string, Recorded>()
  const driver = noting(client, noted)
  const writer: SqlWriteDriver = { ...driver, savepoint: (work) => work() }
  const reindexing = {
    read: prepareReadWords(driver, postgresDialect),
    write: prepareWriteWords(writer, postgresDialect),
  }
  const connections = { dialect: postgresDialect, reader: driver, heavy: driver, reindexing }
  const store = await openSqlStore({
    ...connections,
    isReceived: () => true,
    requireOpen: () => undefined,
  })
  const openBatch = store.prepareBatches(writer)
  return {
    client,
    reader: store.reader,
    async write(work) {
      const batch = openBatch()
      const result = await batch.run(work)
      await batch.ending()
      await batch.record()
      batch.committed()
      return result
    },
    takeStatements() {
      const all = [...noted.values()]
      noted.clear()
      return all
    },
    async dispose() {
      await client.end()
      await dropSchema(target.schema)
    },
  }
}

function noting(client: Client, noted: Map<string, Recorded>): SqlDriver {
  const driver = createDriver(async (statement) => {
    const { name, text, values = [] } = statement
    noted.set(text, { text, values: name === undefined ? values : null })
    return client.query<unknown[]>(statement)
  }, createStatementNames())
  return {
    prepare(query, planned = 'once') {
      const { text } = compileQuery(postgresDialect, query)
      if (planned === 'once') noted.set(text, { text, values: null })
      return driver.prepare(query, planned)
    },
  }
}
