import { mkdtempSync, rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Filter } from '@quire/core/ports'
import { anEntity, indexed, testRepository } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from '../src/open-store.ts'
import { copyHead } from './copy-head.ts'

const size = 5_000
let folder: string
let store: SqliteStore

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-values-'))
  const file = join(folder, 'quire.db')
  store = await openSqliteStore({ file })
  const values = indexed({ colour: 'red', rank: 'a' })
  await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', values }), 0))
  await store.close()
  const database = new Database(file)
  copyHead(database, 'CONT_1', size)
  database.exec('INSERT OR IGNORE INTO search_rows (row, head, branch) SELECT head, head, branch FROM heads')
  database.close()
  store = await openSqliteStore({ file })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const words = (first: string) => [first, ...Array.from({ length: 499 }, (_, at) => `x${at}`)]
const field = (path: string) => ({ path, list: false })

it('a filter with hundreds of values does not block the main thread, even among few items', async () => {
  const filter: Filter = {
    all: [
      { field: field('colour'), op: 'in', value: words('red') },
      { field: field('rank'), op: 'nin', value: words('b') },
    ],
  }
  const read = () =>
    store.entities.list(
      { repositoryId: testRepository, packageId: null },
      {
        kind: 'item',
        reader: { types: 'all', roles: 'all' },
        archived: false,
        sort: [],
        count: true,
        limit: 10,
        filter,
      },
    )
  expect((await read()).count).toBe(size + 1)
  // Counts are cached until the next commit.
  await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', slug: 'two' }), 0))
  const delay = monitorEventLoopDelay({ resolution: 2 })
  const started = performance.now()
  delay.enable()
  // The histogram needs a tick of the event loop before and after.
  await pause(10)
  await read()
  await pause(10)
  delay.disable()
  expect(delay.max / 1e6).toBeLessThan((performance.now() - started) / 2)
})
