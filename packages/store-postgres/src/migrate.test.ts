import { type Migration, postgresDialect, postgresMigrations } from '@quire/store-sql'
import { getTableColumns, getTableName } from 'drizzle-orm'
import type { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../../test/services/postgres.ts'
import { migrate } from './migrate.ts'
import { openPostgresStore } from './open-store.ts'

const first: Migration = { version: 1, sql: 'CREATE TABLE one (a integer);' }
const second: Migration = {
  version: 2,
  sql: 'ALTER TABLE one ADD COLUMN b integer; UPDATE one SET b = a * 2;',
}
const broken: Migration = { version: 3, sql: 'INSERT INTO one VALUES (9, 9); SELECT a FROM nowhere;' }

describe.skipIf(testDatabase === null)(`migrating PostgreSQL ${location}`, () => {
  let schema: string
  beforeEach(() => {
    schema = testSchema()
  })
  afterEach(() => dropSchema(schema))
  const run = (...migrations: readonly Migration[]) => migrate({ url: databaseUrl(), schema }, migrations)
  const query = (text: string) =>
    asAdministrator(async (client: Client) => {
      await client.query(`SET search_path = ${schema}`)
      const { rows } = await client.query<Readonly<Record<string, unknown>>>(text)
      return rows
    })

  it('creates a missing schema', async () => {
    expect((await run(first, second)).schemaVersion).toBe(2)
    expect(await query('SELECT * FROM one')).toEqual([])
    expect(await query('SELECT version FROM schema_version')).toEqual([{ version: 2 }])
  })

  it('with mustExist, refuses a missing schema and accepts an existing one', async () => {
    const runStored = () => migrate({ url: databaseUrl(), schema }, [first, second], { mustExist: true })
    await expect(runStored()).rejects.toThrow(`The schema ${schema} holds no installation`)
    await run(first)
    expect((await runStored()).schemaVersion).toBe(2)
  })

  it('upgrades an older schema to the newest, and keeps its rows', async () => {
    await run(first)
    await query('INSERT INTO one VALUES (21)')
    await run(first, second)
    expect(await query('SELECT * FROM one')).toEqual([{ a: 21, b: 42 }])
    await run(first, second)
    expect(await query('SELECT * FROM one')).toEqual([{ a: 21, b: 42 }])
  })

  it('changes nothing when a step fails, and can be run again', async () => {
    await run(first)
    await query('INSERT INTO one VALUES (21)')
    await expect(run(first, second, broken)).rejects.toThrow('nowhere')
    expect(await query('SELECT * FROM one')).toEqual([{ a: 21 }])
    expect(await query('SELECT version FROM schema_version')).toEqual([{ version: 1 }])
    await run(first, second)
    expect(await query('SELECT * FROM one')).toEqual([{ a: 21, b: 42 }])
  })

  it('runs once, however many processes start at the same time', async () => {
    await Promise.all(Array.from({ length: 5 }, () => run(first, second)))
    expect(await query('SELECT version FROM schema_version')).toEqual([{ version: 2 }])
  })

  it('refuses a schema of a newer server', async () => {
    await run(first, second)
    await expect(run(first)).rejects.toThrow(
      `The schema ${schema} has version 2, this server knows 1: start the newer server, or restore a backup from before.`,
    )
  })

  it('refuses a schema older than its first step, and changes nothing', async () => {
    await run(first)
    await query('INSERT INTO one VALUES (21)')
    await expect(run(second)).rejects.toThrow(
      `The schema ${schema} was made by an unreleased version of Quire (version 1; this one needs 2): rename it or drop it, and start with an empty one.`,
    )
    expect(await query('SELECT * FROM one')).toEqual([{ a: 21 }])
    expect(await query('SELECT version FROM schema_version')).toEqual([{ version: 1 }])
  })

  it('refuses a schema of another program, and does not change it', async () => {
    await asAdministrator((client) =>
      client.query(`CREATE SCHEMA ${schema}; CREATE TABLE ${schema}.notes (text text)`),
    )
    await expect(run(first)).rejects.toThrow(`The schema ${schema} holds tables of another program`)
    expect(await query('SELECT * FROM notes')).toEqual([])
  })

  it('creates the tables and columns that queries are built with', async () => {
    await run(...postgresMigrations)
    for (const table of Object.values(postgresDialect.tables)) {
      const found = await query(
        `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = '${schema}' AND table_name = '${getTableName(table)}'`,
      )
      const built = Object.values(getTableColumns(table)).map(({ name }) => name)
      expect(
        found.map(({ name }) => name),
        getTableName(table),
      ).toEqual(expect.arrayContaining(built))
    }
  })

  it('compares every text by its bytes', async () => {
    await run(...postgresMigrations)
    const other = await query(
      `SELECT table_name, column_name FROM information_schema.columns
        WHERE table_schema = '${schema}' AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'`,
    )
    expect(other).toEqual([])
  })

  it('does not let entries of the journal be changed or deleted', async () => {
    await run(...postgresMigrations)
    await query(`INSERT INTO journal (repository_id, entity_id, entity_type, event, date, person, request_id, details)
      VALUES ('REPO_1', 'CONT_1', 'item', 'ITEM_CREATED', 1, '{}', 'r', '{}')`)
    const refusal = 'The journal is only appended to.'
    await expect(query("UPDATE journal SET person = 'another'")).rejects.toThrow(refusal)
    await expect(query('DELETE FROM journal')).rejects.toThrow(refusal)
    await expect(query('TRUNCATE journal')).rejects.toThrow(refusal)
    expect(await query('SELECT person FROM journal')).toEqual([{ person: '{}' }])
  })

  it('grows by one from step to step', () => {
    expect(postgresMigrations.map(({ version }) => version)).toEqual(
      postgresMigrations.map((_, index) => 8 + index),
    )
  })
})

describe.skipIf(testDatabase === null)(`a database that cannot be opened ${location}`, () => {
  const wrong = (change: Partial<URL>) => {
    const url = Object.assign(new URL(databaseUrl()), { password: 'secret' }, change)
    return openPostgresStore({ url: url.href, schema: testSchema() })
  }

  it.each([
    [{ port: '1' }, 'unreachable'],
    [{ pathname: '/no_such_database' }, 'refused'],
  ])('%j gives the reason, without a password', async (change, reason) => {
    await expect(wrong(change)).rejects.toMatchObject({ name: 'StoreOpenError', reason })
    await expect(wrong(change)).rejects.not.toThrow('secret')
  })

  it('is refused for an invalid schema name', async () => {
    const opening = openPostgresStore({ url: databaseUrl(), schema: 'a"; DROP SCHEMA b' })
    await expect(opening).rejects.toMatchObject({ reason: 'schema' })
  })

  it('is refused when its address overrides our settings', async () => {
    await expect(wrong({ search: '?options=-csearch_path%3Dpublic' })).rejects.toMatchObject({
      reason: 'settings',
    })
  })
})
