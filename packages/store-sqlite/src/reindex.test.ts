import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { textQueryOf } from '@quire/core/ports'
import { anEntity, testRepository, textOf } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from './open-store.ts'
import { createReadWords, openWriteWords } from './worker/reindexing.ts'

const main = { repositoryId: testRepository, packageId: null }
const MANY = 1_000

let folder: string
let file: string
let store: SqliteStore
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-reindex-'))
  file = join(folder, 'quire.db')
  store = await openSqliteStore({ file })
  await store.transaction(async (tx) => {
    for (let index = 0; index < MANY; index++)
      await tx.entities.put(
        anEntity({ id: idOf(index), slug: `s${index}`, search: textOf(`word${index} fox`) }),
        0,
      )
  })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function idOf(index: number): string {
  return `CONT_${String(index).padStart(5, '0')}`
}

/** The ids of the results, in order. */
async function found(text: string): Promise<readonly string[]> {
  const page = await store.entities.search(main, {
    kind: 'item',
    reader: { types: 'all', roles: 'all' },
    text: textQueryOf(text),
    archived: false,
    limit: 1_000,
    count: false,
  })
  return page.entities.map(({ id }) => id)
}

async function reindexAll(limit: number): Promise<number> {
  let all = 0
  for await (const { done } of store.indexes.reindex(testRepository, { after: 0, limit })) all += done
  return all
}

/** Runs `work` over a connection of its own, while the store is open. */
async function beside<T>(work: (database: Database.Database) => T | Promise<T>): Promise<T> {
  const database = new Database(file)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}

function requireSound(): Promise<void> {
  return beside((database) => {
    database.exec("INSERT INTO search (search) VALUES ('integrity-check')")
    const rows = (of: string) => database.prepare(`SELECT ${of}`).pluck().all()
    expect(rows('row FROM search_documents ORDER BY row')).toEqual(rows('rowid FROM search ORDER BY rowid'))
    expect(rows('row FROM search_documents ORDER BY row')).toEqual(rows('row FROM search_rows ORDER BY row'))
  })
}

describe('a damaged index', () => {
  it('finds everything again, in the same order, after a rebuild', async () => {
    const before = await found('fox')
    await beside((database) => {
      database.exec('DELETE FROM search WHERE rowid % 3 = 0')
      database.exec(
        "INSERT OR REPLACE INTO search (rowid, words) SELECT row, '00001iahen' FROM search_rows WHERE row % 5 = 0",
      )
    })
    await store.ephemera.get('anything', 0)
    expect(await reindexAll(300)).toBe(MANY)
    expect(await found('fox')).toEqual(before)
    expect(await found('hen')).toEqual([])
    expect(await found('word999')).toEqual([idOf(999)])
    await requireSound()
  })

  it('loses its stray rows in a rebuild', async () => {
    await beside((database) => {
      database.exec("INSERT INTO search (rowid, words) VALUES (100000, '00001iastray')")
      database.exec('DELETE FROM search_documents WHERE row <= 10; DELETE FROM search_rows WHERE row <= 10')
    })
    expect(await reindexAll(300)).toBe(MANY - 10)
    await requireSound()
  })
})

describe('rebuilding an index', () => {
  it('lets others write between its parts, and read at any time', async () => {
    const reindexing = reindexAll(100)
    const reads = [await found('"word7"'), await found('"word998"')]
    await store.transaction((tx) =>
      tx.entities.put(anEntity({ id: 'CONT_X', search: textOf('newcomer') }), 0),
    )
    expect(reads).toEqual([[idOf(7)], [idOf(998)]])
    expect(await found('newcomer')).toEqual(['CONT_X'])
    expect(await reindexing).toBeGreaterThanOrEqual(MANY)
    await requireSound()
  })

  it('ends when the store is closed', async () => {
    const parts = store.indexes.reindex(testRepository, { after: 0, limit: 800 })[Symbol.asyncIterator]()
    expect((await parts.next()).value).toMatchObject({ done: 800 })
    await store.close()
    await expect(parts.next()).rejects.toMatchObject({ name: 'StoreUnavailable', kind: 'closed' })
    store = await openSqliteStore({ file })
    await requireSound()
  })

  it('keeps the words of documents written after they were read, even if a row number was reused', async () => {
    const words = await beside((database) => {
      const branches = database.prepare<[], number>('SELECT id FROM branches').pluck().all()
      return createReadWords(database)({ branches, after: 0, limit: 2_000 })
    })
    expect(words.documents).toHaveLength(MANY)
    const put = (id: string, text: string, revision: number) =>
      store.transaction((tx) =>
        tx.entities.put(anEntity({ id, slug: id, revision: revision + 1, search: textOf(text) }), revision),
      )
    await put(idOf(0), 'changed', 1)
    await store.transaction(async (tx) => {
      await tx.entities.purge(main, { kind: 'item', id: idOf(0) })
      await tx.entities.purge(main, { kind: 'item', id: idOf(MANY - 1) })
    })
    await put('CONT_X', 'newcomer', 0)
    const last = words.documents.at(-1)?.row
    expect(
      await beside((database) => database.prepare('SELECT max(row) FROM search_rows').pluck().get()),
    ).toBe(last)
    await openWriteWords({ file })(words)
    await store.ephemera.get('anything', 0)
    expect(await found('newcomer')).toEqual(['CONT_X'])
    expect([await found('word0'), await found(`word${MANY - 1}`)]).toEqual([[], []])
    expect(await found('fox')).toHaveLength(MANY - 2)
    await requireSound()
  })

  it('leaves a sound index, which can be rebuilt, wherever it is killed', async () => {
    const before = await found('fox')
    await store.close()
    for (const delayMs of [0, 40]) {
      const child = await startReindexing()
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      child.kill('SIGKILL')
      await once(child, 'exit')
      store = await openSqliteStore({ file })
      await requireSound()
      expect(await found('fox')).toEqual(before)
      await store.close()
    }
    store = await openSqliteStore({ file })
    expect(await reindexAll(500)).toBe(MANY)
    expect(await found('fox')).toEqual(before)
  }, 120_000)
})

/** Starts another process that rebuilds the index over and over. */
async function startReindexing(): Promise<ChildProcess> {
  const script = `
    import { openSqliteStore } from ${JSON.stringify(new URL('open-store.ts', import.meta.url).href)}
    const store = await openSqliteStore({ file: ${JSON.stringify(file)} })
    for (;;)
      for await (const part of store.indexes.reindex(${JSON.stringify(testRepository)}, { after: 0, limit: 50 }))
        process.stdout.write('begun')`
  const child = spawn(
    process.execPath,
    ['--conditions=quire-source', '--input-type=module', '--eval', script],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout, 'data')
  return child
}
