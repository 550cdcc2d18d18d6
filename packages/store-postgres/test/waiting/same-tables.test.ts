import type { Transaction } from '@quire/core/ports'
import {
  type OpenSqlBatch,
  type SqlWriteDriver,
  openSqlStore,
  postgresDialect,
  postgresMigrations,
  prepareReadWords,
  prepareWriteWords,
} from '@quire/store-sql'
import * as fc from 'fast-check'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { clientConfig, patience } from '../../src/connect.ts'
import { migrate } from '../../src/migrate.ts'
import { createDriver, createStatementNames } from '../../src/postgres-driver.ts'
import { createWriter } from '../../src/writer.ts'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../../test/services/postgres.ts'
import { RandomWorker, batches } from './random-work.ts'

/** The same cases on every run, so that a failure means that the code changed. */
const SEED = 20_260_102

interface Opened {
  readonly schema: string
  readonly openBatch: OpenSqlBatch
  readonly begin: () => Promise<unknown>
  readonly commit: () => Promise<unknown>
  readonly close: () => Promise<void>
}

async function open(writing: (target: Target) => Promise<Omit<Opened, 'schema' | 'openBatch'> & Driven>) {
  const target = { url: databaseUrl(), schema: testSchema() }
  await migrate(target, postgresMigrations)
  const { driver, ...rest } = await writing(target)
  const connections = { dialect: postgresDialect, reader: driver, heavy: driver }
  const reindexing = {
    read: prepareReadWords(driver, postgresDialect),
    write: prepareWriteWords(driver, postgresDialect),
  }
  const begin = rest.begin
  await begin()
  const store = await openSqlStore({ ...connections, reindexing, requireOpen: () => undefined })
  await rest.commit()
  return { ...rest, schema: target.schema, openBatch: store.prepareBatches(driver) } satisfies Opened
}

interface Target {
  readonly url: string
  readonly schema: string
}

interface Driven {
  readonly driver: SqlWriteDriver
}

/** Runs every write at once, each transaction in a savepoint. */
async function atOnce(target: Target) {
  const client = new Client(clientConfig(target, patience.write))
  await client.connect()
  let depth = 0
  const savepoint = async <T>(work: () => Promise<T>): Promise<T> => {
    depth += 1
    const name = `s${depth}`
    await client.query(`SAVEPOINT ${name}`)
    try {
      const result = await work()
      await client.query(`RELEASE ${name}`)
      return result
    } catch (error) {
      await client.query(`ROLLBACK TO ${name}; RELEASE ${name}`)
      throw error
    } finally {
      depth -= 1
    }
  }
  const driver = createDriver((statement) => client.query<unknown[]>(statement), createStatementNames())
  return {
    driver: { ...driver, savepoint },
    begin: () => client.query('BEGIN'),
    commit: () => client.query('COMMIT'),
    close: () => client.end(),
  }
}

async function waiting(target: Target) {
  const writer = createWriter(target, createStatementNames())
  return {
    driver: writer.driver,
    begin: () => writer.begin({ synced: false, alone: false, contested: [] }),
    commit: () => writer.commit(),
    close: () => writer.close(),
  }
}

const ofHead = `(SELECT count(*) FROM heads h WHERE h.head <= t.head) AS head`
const ofRow = (column: string) =>
  `(SELECT count(*) FROM search_rows r WHERE r.row <= t.${column}) AS ${column}`
const ofVersion = `(SELECT count(*) FROM versions v WHERE v.row <= t.version) AS version`

/**
 * All tables. Numbers that the database assigns are replaced by their order: the numbers themselves
 * may have gaps.
 */
const dumps = [
  `SELECT to_jsonb(t) - 'head', ${ofHead} FROM heads t`,
  ...['head_json', 'bodies', 'head_roles', 'field_values', 'edges'].map(
    (table) => `SELECT to_jsonb(t) - 'head', ${ofHead} FROM ${table} t`,
  ),
  `SELECT to_jsonb(t) - 'row' FROM versions t`,
  ...['version_blobs', 'version_values'].map((table) => `SELECT hash, ${ofVersion} FROM ${table} t`),
  `SELECT branch, ${ofHead}, ${ofRow('row')} FROM search_rows t`,
  `SELECT to_jsonb(t) - '{head,row}'::text[], ${ofHead}, ${ofRow('row')} FROM search_documents t`,
  `SELECT words, ${ofRow('rowid')} FROM search t`,
  `SELECT to_jsonb(t) - 'sequence', (SELECT count(*) FROM journal j WHERE j.sequence < t.sequence) FROM journal t`,
  ...['usage_deltas'].map((table) => `SELECT to_jsonb(t) - 'row' FROM ${table} t`),
  ...['branches', 'moments', 'large_values', 'texts', 'ephemera', 'usage'].map(
    (table) => `SELECT to_jsonb(t) FROM ${table} t`,
  ),
]

function tablesOf(schema: string): Promise<unknown[]> {
  return asAdministrator(async (client) => {
    await client.query(`SET search_path TO ${schema}`)
    const all: unknown[] = []
    for (const text of dumps) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
      all.push([text, rows.map((row) => JSON.stringify(row)).toSorted()])
    }
    return all
  })
}

async function commitBatch(
  { openBatch, begin, commit }: Opened,
  works: readonly ((tx: Transaction) => Promise<void>)[],
): Promise<unknown[]> {
  await begin()
  const batch = openBatch()
  const outcomes: unknown[] = []
  for (const work of works)
    outcomes.push(
      await batch.run(work).then(
        () => 'done',
        (error: Error) => error.message,
      ),
    )
  await batch.ending()
  await batch.record()
  await commit()
  batch.committed()
  return outcomes
}

describe.skipIf(testDatabase === null)(`waiting writes in PostgreSQL ${location}`, () => {
  let opened: readonly Opened[] = []
  beforeEach(async () => void (opened = [await open(atOnce), await open(waiting)]))
  afterEach(async () => {
    for (const one of opened) {
      await one.close()
      await dropSchema(one.schema)
    }
  })

  it('store what the same writes store when each runs at once', { timeout: 300_000 }, async () => {
    let run = 0
    const property = fc.asyncProperty(batches, async (drawn) => {
      run += 1
      const stored: unknown[] = []
      for (const one of opened) {
        const worker = new RandomWorker(`REPO_${run}`)
        const outcomes: unknown[] = []
        for (const works of drawn)
          outcomes.push(
            await commitBatch(
              one,
              works.map((work) => (tx) => worker.run(tx, work)),
            ),
          )
        stored.push({ outcomes, told: worker.told, tables: await tablesOf(one.schema) })
      }
      expect(stored[1]).toEqual(stored[0])
    })
    await fc.assert(property, { seed: SEED, numRuns: 60 })
  })
})
