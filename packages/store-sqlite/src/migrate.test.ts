import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Migration, sqliteDialect, sqliteMigrations } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { getTableColumns, getTableName } from 'drizzle-orm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { currentVersion, migrate } from './migrate.ts'

const first: Migration = { version: 1, sql: 'CREATE TABLE one (a INTEGER) STRICT;' }
const second: Migration = {
  version: 2,
  sql: 'ALTER TABLE one ADD COLUMN b INTEGER; UPDATE one SET b = a * 2;',
}
const broken: Migration = { version: 3, sql: 'INSERT INTO one VALUES (9, 9); SELECT a FROM nowhere;' }

describe('migrating', () => {
  let folder: string
  let file: string
  let database: Database.Database
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-migrate-'))
    file = join(folder, 'quire.db')
    database = new Database(file)
  })
  afterEach(() => {
    database.close()
    rmSync(folder, { recursive: true })
  })
  const rows = () => database.prepare('SELECT * FROM one').all()

  it('creates the schema in an empty file, without making a copy', () => {
    migrate(database, [first, second])
    expect(currentVersion(database)).toBe(2)
    expect(rows()).toEqual([])
    expect(existsSync(`${file}.before-2`)).toBe(false)
  })

  it('upgrades an older file to the newest schema, and keeps its rows and a copy of the old file', () => {
    migrate(database, [first])
    database.exec('INSERT INTO one VALUES (21)')
    migrate(database, [first, second])
    expect(rows()).toEqual([{ a: 21, b: 42 }])
    const copy = new Database(`${file}.before-2`, { readonly: true })
    expect(copy.prepare('SELECT * FROM one').all()).toEqual([{ a: 21 }])
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok')
    copy.close()
  })

  it('changes nothing when the schema is current', () => {
    migrate(database, [first, second])
    database.exec('INSERT INTO one VALUES (1, 2)')
    migrate(database, [first, second])
    expect(rows()).toEqual([{ a: 1, b: 2 }])
    expect(existsSync(`${file}.before-2`)).toBe(false)
  })

  it('changes nothing when a step fails, and can be run again', () => {
    migrate(database, [first])
    database.exec('INSERT INTO one VALUES (21)')
    expect(() => migrate(database, [first, second, broken])).toThrow('nowhere')
    expect(rows()).toEqual([{ a: 21 }])
    expect(currentVersion(database)).toBe(1)
    migrate(database, [first, second])
    expect(rows()).toEqual([{ a: 21, b: 42 }])
  })

  it('refuses a schema of a newer server', () => {
    migrate(database, [first, second])
    expect(() => migrate(database, [first])).toThrow(
      `${file} has schema 2, this server knows 1: start the newer server, or restore a backup from before.`,
    )
  })

  it('refuses a schema older than its first step, and changes nothing', () => {
    migrate(database, [first])
    database.exec('INSERT INTO one VALUES (21)')
    expect(() => migrate(database, [second])).toThrow(
      `${file} was made by an unreleased version of Quire (schema 1; this one needs 2): move its folder away and start with an empty one.`,
    )
    expect(rows()).toEqual([{ a: 21 }])
    expect(currentVersion(database)).toBe(1)
    expect(existsSync(`${file}.before-2`)).toBe(false)
  })

  it('refuses the database of another program', () => {
    database.exec('CREATE TABLE notes (text)')
    expect(() => migrate(database, [first])).toThrow('is not a database of Quire')
  })
})

describe('the schema', () => {
  it('has the tables and columns that queries are built with', () => {
    const database = new Database(':memory:')
    for (const { sql } of sqliteMigrations) database.exec(sql)
    for (const table of Object.values(sqliteDialect.tables)) {
      const built = Object.values(getTableColumns(table)).map(({ name }) => name)
      const found = database
        .prepare('SELECT name FROM pragma_table_xinfo(?)')
        .pluck()
        .all(getTableName(table))
      expect(found, getTableName(table)).toEqual(
        expect.arrayContaining(built.filter((name) => name !== 'rowid')),
      )
    }
    database.close()
  })

  it('does not let entries of the journal be changed or deleted', () => {
    const database = new Database(':memory:')
    for (const { sql } of sqliteMigrations) database.exec(sql)
    database.exec(`INSERT INTO journal (repository_id, entity_id, entity_type, event, date, person, request_id, details)
      VALUES ('REPO_1', 'CONT_1', 'item', 'ITEM_CREATED', 1, '{}', 'r', '{}')`)
    const refusal = 'The journal is only appended to.'
    expect(() => database.exec("UPDATE journal SET person = 'another'")).toThrow(refusal)
    expect(() => database.exec('DELETE FROM journal')).toThrow(refusal)
    expect(database.prepare('SELECT person FROM journal').pluck().all()).toEqual(['{}'])
    database.close()
  })

  it('sets the state of a new job, and allows one unfinished job per key', () => {
    const database = new Database(':memory:')
    for (const { sql } of sqliteMigrations) database.exec(sql)
    const queue = (id: string) =>
      database.exec(`INSERT INTO jobs (id, kind, repository_id, subject, key, payload, max_attempts, run_at, created_at, person)
        VALUES ('${id}', 'sync', '', '', 'key', '{}', 1, 1, 1, '{}')`)
    queue('JOB_1')
    expect(database.prepare('SELECT state, attempts, lease, progress FROM jobs').all()).toEqual([
      { state: 'queued', attempts: 0, lease: 0, progress: '{"done":0,"total":0,"message":""}' },
    ])
    expect(() => queue('JOB_2')).toThrow('UNIQUE constraint failed: jobs.key')
    database.exec("UPDATE jobs SET state = 'failed', finished_at = 1")
    queue('JOB_2')
    database.close()
  })

  it('grows by one from step to step', () => {
    expect(sqliteMigrations.map(({ version }) => version)).toEqual(
      sqliteMigrations.map((_, index) => 14 + index),
    )
  })
})
