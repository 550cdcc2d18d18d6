import { mkdtempSync, rmSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anEntity, indexed, testRepository } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from '../src/open-store.ts'
import { copyHead } from './copy-head.ts'

const main = { repositoryId: testRepository, packageId: null }
const everything = {
  kind: 'item',
  reader: { types: 'all', roles: 'all' },
  archived: false,
  limit: 10,
} as const

const copies = 200_000

describe('a slow read', () => {
  let folder: string
  let store: SqliteStore
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-heavy-'))
    const file = join(folder, 'quire.db')
    store = await openSqliteStore({ file })
    await store.transaction((tx) =>
      tx.entities.put(anEntity({ id: 'CONT_1', values: indexed({ colour: 'red' }) }), 0),
    )
    await store.close()
    const database = new Database(file)
    database.pragma('synchronous = OFF')
    copyHead(database, 'CONT_1', copies)
    database.close()
    store = await openSqliteStore({ file })
  }, 120_000)
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const facets = () =>
    store.entities.facets(main, {
      ...everything,
      fields: [{ member: 'type' }, { member: 'status' }, { path: 'colour', list: false }],
    })

  it('does not block the main thread', async () => {
    const [[type] = []] = await facets()
    expect(type?.count).toBe(copies + 1)
    const delay = monitorEventLoopDelay({ resolution: 2 })
    const started = performance.now()
    delay.enable()
    await facets()
    delay.disable()
    const took = performance.now() - started
    expect(delay.max / 1e6).toBeLessThan(took / 2)
  })

  it('sees exactly what was committed before it', async () => {
    const running = facets()
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_2', slug: 'two' }), 0))
    const [[type] = []] = await facets()
    expect(type?.count).toBe(copies + 2)
    await running
  })

  it('finishes before the store is closed, and is refused afterwards', async () => {
    const running = facets()
    const closing = store.close()
    expect(await running).toHaveLength(3)
    await closing
    await expect(facets()).rejects.toMatchObject({ name: 'StoreUnavailable', kind: 'closed' })
  })
})
