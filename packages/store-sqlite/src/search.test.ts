import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SearchQuery, textQueryOf } from '@quire/core/ports'
import { anEntity, nextVersion, sameVersion, testRepository, textOf } from '@quire/testkit'
import Database from 'better-sqlite3'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from './open-store.ts'

const main = { repositoryId: testRepository, packageId: null }
const everyone = { types: 'all', roles: 'all' } as const

let folder: string
let file: string
let store: SqliteStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-search-'))
  file = join(folder, 'quire.db')
  store = await openSqliteStore({ file })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const search = (text: string, query: Partial<SearchQuery> = {}) =>
  store.entities.search(main, {
    kind: 'item',
    reader: everyone,
    text: textQueryOf(text),
    archived: false,
    limit: 10,
    count: true,
    ...query,
  })

/** Runs `work` over a connection of its own. */
function beside<T>(work: (database: Database.Database) => T): T {
  const database = new Database(file)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

describe('the search index', () => {
  const article = anEntity({ id: 'CONT_1', search: textOf('a quick fox') })
  const blocks = () =>
    beside((database) => database.prepare('SELECT id, hex(block) FROM search_data ORDER BY id').all())

  it('is not touched by a write that does not change the document', async () => {
    await store.transaction((tx) => tx.entities.put(article, 0))
    const before = blocks()
    const marked = sameVersion(article, { archived: true })
    await store.transaction((tx) => tx.entities.put(marked, 1))
    await store.transaction((tx) => tx.entities.put(nextVersion(marked, { body: { a: 1 } }), 2))
    await store.transaction((tx) =>
      tx.entities.describe(main, { kind: 'item', id: 'CONT_1' }, textOf('a quick fox')),
    )
    expect(blocks()).toEqual(before)
  })

  it('is merged while nothing is written, and finds the same afterwards', async () => {
    const segments = () =>
      beside((database) => database.prepare('SELECT count(DISTINCT segid) FROM search_idx').pluck().get())
    await store.transaction((tx) => tx.entities.put(article, 0))
    await store.close()
    beside((database) => {
      const insert = database.prepare('INSERT INTO search (rowid, words) VALUES (?, ?)')
      const words = (row: number) => Array.from({ length: 500 }, (_, word) => `00000x${row}x${word}`)
      for (let row = 100; row < 160; row++) insert.run(row, words(row).join(' '))
    })
    expect(segments()).toBeGreaterThan(50)
    store = await openSqliteStore({ file })
    const commits = store.commits?.latest()
    await expect.poll(segments, { timeout: 15_000 }).toBeLessThan(8)
    expect(store.commits?.latest()).toBe(commits)
    expect((await search('fox')).entities).toMatchObject([{ id: 'CONT_1' }])
    await store.verify?.()
  })

  it('is sound after documents were added, changed and deleted', async () => {
    const other = anEntity({ id: 'CONT_2', search: textOf('another fox') })
    await store.transaction(async (tx) => {
      await tx.entities.put(article, 0)
      await tx.entities.put(other, 0)
    })
    await store.transaction((tx) =>
      tx.entities.put(nextVersion(article, { search: textOf('a slow hen') }), 1),
    )
    await store.transaction((tx) => tx.entities.put(sameVersion(other, { deletedDate: 5 }), 1))
    beside((database) => {
      database.exec("INSERT INTO search (search) VALUES ('integrity-check')")
      const rows = (of: string) => database.prepare(`SELECT ${of}`).pluck().all()
      expect(rows('row FROM search_documents ORDER BY row')).toEqual(rows('rowid FROM search ORDER BY rowid'))
      expect(rows('row FROM search_rows ORDER BY row')).toEqual(rows('rowid FROM search ORDER BY rowid'))
    })
    expect((await search('fox')).entities).toEqual([])
    expect((await search('hen')).entities).toMatchObject([{ id: 'CONT_1' }])
  })

  it('is queried by words only, whatever syntax people type', async () => {
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', search: textOf('zz') }), 0))
    const sign = fc.constantFrom(
      '"',
      '*',
      '^',
      ':',
      '(',
      ')',
      ' ',
      '-',
      '+',
      'NEAR(',
      ' AND ',
      ' NOT ',
      'a',
      'é',
      '\0',
    )
    const typed = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: sign }))
    await fc.assert(
      fc.asyncProperty(typed, async (text) => {
        fc.pre(!/z/i.test(text.normalize('NFKD')))
        expect((await search(text)).entities).toEqual([])
      }),
    )
  })
})

describe('a search whose matches are nearly all hidden', () => {
  const hidden = 25_000

  /** Writes more hidden heads than one page reads, above the one that is to be found. */
  async function fill(): Promise<void> {
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', search: textOf('fox') }), 0))
    await store.transaction((tx) =>
      tx.entities.put(anEntity({ id: 'CONT_0', type: 'secret', search: textOf('fox') }), 0),
    )
    await store.close()
    beside((database) => {
      const columns = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all('heads')
      const copied = columns.filter((name) => name !== 'head' && name !== 'id' && name !== 'slug').join()
      database.exec(`
        WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT ${hidden})
        INSERT INTO heads (head, id, ${copied}) SELECT i, 'CONT_' || i, ${copied} FROM n, heads WHERE id = 'CONT_0';
        INSERT INTO search_rows SELECT head, head, branch FROM heads WHERE head >= 10;
        INSERT INTO search_documents SELECT head, head, branch, kind, '', '[]', '[]', NULL, 0 FROM heads WHERE head >= 10;
        INSERT INTO search (rowid, words) SELECT head, '00001iafox' FROM heads WHERE head >= 10;`)
    })
    store = await openSqliteStore({ file })
  }

  it('reads a part of the matches, returns a cursor, and continues', async () => {
    await fill()
    const reader = { types: [anEntity().type], roles: 'all' } as const
    const first = await search('fox', { reader })
    expect(first).toMatchObject({ entities: [], isCapped: true })
    expect(first.next).toMatchObject({ tier: 2 })
    const second = await search('fox', { reader, ...(first.next && { after: first.next }) })
    expect(second.entities).toMatchObject([{ id: 'CONT_1' }])
    expect(second.next).toBeUndefined()
    const started = performance.now()
    await search('fox', { reader })
    expect(performance.now() - started).toBeLessThan(5_000)
  }, 60_000)
})
