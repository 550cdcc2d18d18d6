import { sqliteMigrations } from '@quire/store-sql'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSearchMaintenance, type SearchMaintenance } from './search-maintenance.ts'

describe('the search index', () => {
  let database: Database.Database
  let maintenance: SearchMaintenance
  beforeEach(() => {
    database = new Database(':memory:')
    for (const { sql } of sqliteMigrations) database.exec(sql)
    maintenance = createSearchMaintenance(database)
  })
  afterEach(() => database.close())

  const commit = (first: number, count: number) => {
    const insert = database.prepare('INSERT INTO search (rowid, words) VALUES (?, ?)')
    database.exec('BEGIN')
    for (let row = first; row < first + count; row++) insert.run(row, `word${row} common`)
    maintenance.beforeCommit(count)
    database.exec('COMMIT')
  }
  const segments = () => database.prepare('SELECT count(DISTINCT segid) FROM search_idx').pluck().get()
  const found = (word: string) =>
    database.prepare('SELECT count(*) FROM search WHERE search MATCH ?').pluck().get(word)

  it('stays in few segments, with one row per commit or many', () => {
    for (let row = 1; row <= 400; row++) commit(row, 1)
    expect(segments()).toBeLessThan(20)
    for (let batch = 0; batch < 100; batch++) commit(401 + batch * 64, 64)
    expect(segments()).toBeLessThan(20)
    expect(found('common')).toBe(6800)
    expect(found('word400')).toBe(1)
  })

  it('is merged in small steps while nothing is written, until nothing is left to merge', () => {
    const insert = database.prepare('INSERT INTO search (rowid, words) VALUES (?, ?)')
    const words = (row: number) => Array.from({ length: 500 }, (_, word) => `word${row}x${word}`).join(' ')
    for (let row = 1; row <= 60; row++) insert.run(row, `common ${words(row)}`)
    expect(segments()).toBe(60)
    let steps = 0
    while (maintenance.whileIdle()) steps += 1
    expect(steps).toBeGreaterThan(1)
    expect(segments()).toBeLessThan(8)
    expect(found('common')).toBe(60)
    const before = database.prepare('SELECT total_changes()').pluck().get() as number
    expect(maintenance.whileIdle()).toBe(false)
    expect(database.prepare('SELECT total_changes()').pluck().get()).toBeLessThan(before + 2)
  })

  it('is not touched by commits that write no documents', () => {
    commit(1, 1)
    const before = database.prepare('SELECT total_changes()').pluck().get()
    maintenance.beforeCommit(0)
    expect(database.prepare('SELECT total_changes()').pluck().get()).toBe(before)
  })

  it('is not merged by statements that write a row', () => {
    expect(database.prepare("SELECT k, v FROM search_config WHERE k <> 'version' ORDER BY k").all()).toEqual([
      { k: 'automerge', v: 0 },
      { k: 'crisismerge', v: 64 },
      { k: 'deletemerge', v: 0 },
    ])
  })
})
