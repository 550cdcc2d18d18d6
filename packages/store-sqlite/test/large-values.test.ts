import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { anEntity, nextVersion, onRandomVersions, testRepository } from '@quire/testkit'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type SqliteStore, openSqliteStore } from '../src/open-store.ts'

let folder: string
let file: string
let store: SqliteStore
let database: Database.Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'quire-large-'))
  file = join(folder, 'quire.db')
  store = await openSqliteStore({ file })
  database = new Database(file)
})

afterEach(async () => {
  database.close()
  await store.close()
  rmSync(folder, { recursive: true })
})

const stored = () => database.prepare<[], string>('SELECT hash FROM large_values').pluck().all()

/** Hashes that versions or heads point to. */
const needed = () =>
  database
    .prepare<[], string>(
      `SELECT p.value FROM versions, json_each(versions.parts) p WHERE p.key % 2 = 1
       UNION SELECT p.value FROM bodies, json_each(bodies.parts) p WHERE p.key % 2 = 1
       UNION SELECT p.value FROM head_json, json_each(head_json.parts) p WHERE p.key % 2 = 1`,
    )
    .pluck()
    .all()

describe('large values', () => {
  it('are stored exactly as long as a version or a head points to them', { timeout: 60_000 }, async () => {
    let most = 0
    await onRandomVersions(store, async () => {
      expect(stored().toSorted()).toEqual(needed().toSorted())
      most = Math.max(most, stored().length)
    })
    expect(most).toBeGreaterThan(3)
    expect(stored()).toEqual([])
    expect(database.prepare('SELECT * FROM version_values').all()).toEqual([])
  })

  it('are stored once, by the hash of their JSON', async () => {
    const big = 'lantern '.repeat(20_000)
    const body = { fields: { title: 'One', big, list: [big, 'end'] } }
    const one = anEntity({ id: 'CONT_1', body, json: JSON.stringify(body) })
    const two = nextVersion(one, { body: { ...body, copy: big } })
    await store.transaction(async (tx) => {
      await tx.entities.put(one, 0)
      await tx.entities.put(two, 1)
    })
    const hash = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')
    expect(stored().toSorted()).toEqual([hash(big), hash(body.fields.list)].toSorted())
    const sizes = database.prepare('SELECT length(body) + length(parts) FROM versions').pluck().all()
    expect(Math.max(...sizes.map(Number))).toBeLessThan(500)
  })

  it('stay in the row below 8 KiB, and in the JSON of a head below 64 KiB', async () => {
    const put = (id: string, length: number) =>
      store.transaction((tx) => {
        const body = { big: 'x'.repeat(length - 2) }
        return tx.entities.put(anEntity({ id, body, json: JSON.stringify(body) }), 0)
      })
    await put('CONT_1', 8_191)
    expect(stored()).toEqual([])
    await put('CONT_2', 65_535)
    await put('CONT_3', 65_536)
    const cut = (table: string) =>
      database.prepare(`SELECT parts IS NOT NULL FROM ${table} ORDER BY 1`).pluck().all()
    expect([cut('versions'), cut('bodies'), cut('head_json')]).toEqual([
      [0, 1, 1],
      [0, 1, 1],
      [0, 0, 1],
    ])
  })

  it(
    'add less than 1 MB to the database when an item with 5 MB is patched 25 times',
    { timeout: 120_000 },
    async () => {
      const api = createQuire({ store }).as(systemIdentity('test'))
      const { id: repositoryId } = await api.repositories.create({ name: 'magazine' })
      await api.types.create({
        name: 'article',
        fields: [
          { name: 'title', kind: 'text' },
          { name: 'data', kind: 'json' },
        ],
      })
      const fields = { title: 'The first title', data: { text: randomBytes(2_500_000).toString('hex') } }
      const { id } = await api.items.create({ repositoryId, type: 'article', name: 'One', fields })
      const before = sizeOfFile()
      for (let at = 1; at <= 25; at += 1)
        await api.items.update({
          configId: 'magazine',
          id,
          fields: { title: `Title number ${at}`.padEnd(20) },
        })
      expect(sizeOfFile() - before).toBeLessThan(1_000_000)
      const first = await api.items.get({ configId: 'magazine', id, version: '1' })
      expect(first.fields).toEqual(fields)
      const main = { repositoryId, packageId: null }
      const { bytes } = await store.entities.versionTotals(main, { kind: 'item', id })
      expect(bytes).toBeGreaterThan(26 * 5_000_000)
    },
  )

  it('are read in versions from before they existed', async () => {
    const body = { big: 'x'.repeat(9_000) }
    await store.transaction((tx) => tx.entities.put(anEntity({ id: 'CONT_1', body }), 0))
    database
      .prepare('UPDATE versions SET body = ?, parts = NULL, body_bytes = NULL')
      .run(JSON.stringify(body))
    const main = { repositoryId: testRepository, packageId: null }
    const version = await store.entities.version(main, { kind: 'item', id: 'CONT_1' }, 1)
    expect(version?.body).toEqual(body)
  })
})

function sizeOfFile(): number {
  database.pragma('wal_checkpoint(TRUNCATE)')
  return statSync(file).size
}
