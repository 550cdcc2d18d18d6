import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anEntity, indexed, testRepository } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from './open-store.ts'

const main = { repositoryId: testRepository, packageId: null }
const price = { path: 'price', list: false }

describe('a list sorted by a custom value', () => {
  let folder: string
  let store: SqliteStore
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'quire-sorted-'))
    store = await openSqliteStore({ file: join(folder, 'quire.db') })
    await put('b', 2)
    await put('a', 1)
  })
  afterEach(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const put = (id: string, value?: number) => {
    const values = value === undefined ? [] : indexed({ price: value })
    return store.transaction((tx) => tx.entities.put(anEntity({ id, values }), 0))
  }
  const list = async (descending = false) => {
    const page = await store.entities.list(main, {
      kind: 'item',
      reader: { types: 'all', roles: 'all' },
      filter: { field: { member: 'type' }, op: 'eq', value: anEntity().type },
      archived: false,
      sort: [{ field: price, descending }],
      limit: 10,
      count: true,
    })
    return { ids: page.entities.map(({ id }) => id), count: page.count }
  }

  it('shows writes since the last read, with and without a value', async () => {
    expect(await list()).toEqual({ ids: ['a', 'b'], count: 2 })
    await put('c', 1.5)
    expect(await list()).toEqual({ ids: ['a', 'c', 'b'], count: 3 })
    await put('z')
    expect(await list()).toEqual({ ids: ['z', 'a', 'c', 'b'], count: 4 })
    expect(await list(true)).toEqual({ ids: ['b', 'c', 'a', 'z'], count: 4 })
    await store.transaction((tx) => tx.entities.purge(main, { kind: 'item', id: 'z' }))
    expect(await list()).toEqual({ ids: ['a', 'c', 'b'], count: 3 })
  })

  it('sorts entities that got an empty value for a new field', async () => {
    await put('z')
    expect(await list()).toEqual({ ids: ['z', 'a', 'b'], count: 3 })
    await store.transaction(async (tx) => {
      const [head] = await tx.entities.getMany(main, 'item', ['z'])
      await tx.entities.addEmptyValues(head!, ['price', 'price'])
    })
    expect(await list()).toEqual({ ids: ['z', 'a', 'b'], count: 3 })
    const file = new Database(join(folder, 'quire.db'), { readonly: true })
    const rows = file
      .prepare("SELECT id FROM field_values WHERE path = 'price' ORDER BY value, id")
      .pluck()
      .all()
    file.close()
    expect(rows).toEqual(['z', 'a', 'b'])
  })

  it('is not affected by a transaction that was rolled back', async () => {
    await list()
    const undone = store.transaction(async (tx) => {
      await tx.entities.put(anEntity({ id: 'z', values: [] }), 0)
      throw new Error('undo')
    })
    await expect(undone).rejects.toThrow('undo')
    expect(await list()).toEqual({ ids: ['a', 'b'], count: 2 })
  })
})
