import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anEntity, testRepository } from '@quire/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSqliteStore, type SqliteStore } from './index.ts'

const main = { repositoryId: testRepository, packageId: null }
const folder = mkdtempSync(join(tmpdir(), 'quire-snapshot-'))
const file = join(folder, 'quire.db')

describe('a snapshot', () => {
  let store: SqliteStore
  beforeAll(async () => {
    store = await openSqliteStore({ file })
  })
  afterAll(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })

  const put = (index: number) =>
    store.transaction((tx) =>
      tx.entities.put(anEntity({ id: `CONT_${index}`, body: { text: 'x'.repeat(20_000) } }), 0),
    )

  it('shows every commit at once', async () => {
    for (let index = 0; index < 50; index++) {
      expect(await store.entities.get(main, 'item', `CONT_${index}`)).toBeNull()
      await put(index)
      expect(await store.entities.get(main, 'item', `CONT_${index}`)).not.toBeNull()
    }
  })

  it('does not keep the log from being merged while reads and writes alternate', async () => {
    let largest = 0
    for (let index = 100; index < 1100; index++) {
      const written = put(index)
      await store.entities.get(main, 'item', 'CONT_1')
      await written
      await store.entities.get(main, 'item', `CONT_${index}`)
      largest = Math.max(largest, statSync(`${file}-wal`).size)
    }
    // The log is merged into the file every 1 000 pages of 8 KiB; some 50 000 were written.
    expect(largest).toBeLessThan(16 * 1024 * 1024)
  })
})
