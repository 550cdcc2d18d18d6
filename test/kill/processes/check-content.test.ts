import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createQuire, systemIdentity } from '@quire/core'
import { openPostgresStore } from '@quire/store-postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asAdministrator,
  databaseUrl,
  dropSchema,
  location,
  testDatabase,
  testSchema,
} from '../../services/postgres.ts'
import { contentOf, hashOf } from '../content.ts'
import { noDamage } from '../damage.ts'
import { openLedger, type Ledger } from '../ledger.ts'
import { repository } from '../writer.ts'
import { checkContent, findFaults } from './check-content.ts'
import { addEffect, type Effects } from './effects.ts'

const first = `(SELECT min(head) FROM heads WHERE type = 'note')`
const row = `(SELECT row FROM search_documents WHERE head = ${first})`

/** Damage to a sound schema, and the expected report. */
const damages: readonly (readonly [sql: string, given: string])[] = [
  [`DELETE FROM versions WHERE version = 1 AND type = 'note'`, 'the versions of an item are not 1..n'],
  [`UPDATE heads SET version = 9 WHERE head = ${first}`, 'a head is not at its newest version'],
  [`DELETE FROM heads WHERE head = ${first}`, 'a version has no head'],
  [`DELETE FROM search_documents WHERE head = ${first}`, 'a live head has no document'],
  [`UPDATE heads SET deleted_date = 5 WHERE head = ${first}`, 'a document has no live head'],
  [`UPDATE heads SET deleted_date = 5 WHERE head = ${first}`, 'a value has no live head'],
  [
    `UPDATE search_documents SET name = 'Other' WHERE head = ${first}`,
    'a document is not of the branch, the kind and the name of its head',
  ],
  [`DELETE FROM search WHERE rowid = ${row}`, 'a document has no words'],
  [`INSERT INTO search (rowid, words) VALUES (999, 'words')`, 'words have no document'],
  [`UPDATE search SET words = 'other' WHERE rowid = ${row}`, 'a live note is not indexed by its word alone'],
  [
    `UPDATE search SET words = words || ' 00001iaword9x9x9' WHERE rowid = ${row}`,
    'a live note is not indexed by its word alone',
  ],
  ['INSERT INTO search_rows (head, branch) VALUES (999, 1)', 'a row of a branch is not that of its document'],
  [`DELETE FROM search_rows WHERE row = ${row}`, 'a document is not among the rows of its branch'],
  [`UPDATE field_values SET updated_date = 1 WHERE head = ${first}`, 'a value is not marked as its head'],
  [`INSERT INTO version_values VALUES ('00', 1)`, 'a version points to a value that is not stored'],
  [`INSERT INTO large_values VALUES ('00', '""')`, 'a value is stored that no version points to'],
  [`DELETE FROM field_values WHERE head = ${first}`, 'a live note is not found by its field'],
  [`INSERT INTO record_keys VALUES ('type', 'name:gone', 'TYPE_0')`, 'a record has a key of no record'],
  [
    `INSERT INTO records SELECT kind, 'TYPE_0', revision, data FROM records WHERE kind = 'type'`,
    'two names of a record are one',
  ],
]

describe.skipIf(testDatabase === null)(`the check of a schema on PostgreSQL ${location}`, () => {
  const schema = testSchema()
  const folder = mkdtempSync(join(tmpdir(), 'quire-check-'))
  let ledger: Ledger
  let effects: Effects
  beforeAll(async () => {
    ledger = openLedger(join(folder, 'ledger.jsonl'))
    effects = await fill(schema, ledger)
  }, 30_000)
  afterAll(async () => {
    await dropSchema(schema)
    rmSync(folder, { recursive: true, force: true })
  })

  it('accepts what the engine writes', async () => {
    expect(await checkContent(schema, { ledger, effects })).toEqual(noDamage)
  })

  it.each(damages)('reports after %s: %s', async (sql, given) => {
    const locations = await asAdministrator(async (client) => {
      await client.query(`BEGIN; SET LOCAL search_path = ${schema}; ${sql}`)
      return findFaults(client)
    })
    expect(locations.filter((location) => location.startsWith(`${given}: `))).not.toEqual([])
  })

  it('reports lost, duplicate and unacknowledged effects', async () => {
    const [some = ''] = [...effects.keys()]
    const more: Effects = new Map([...effects, ['ITEM_PUBLISHED CONT_0 1', 1]])
    const fewer: Effects = new Map([...effects].filter(([name]) => name !== some))
    const none: Effects = new Map([...effects, [some, 0]])
    const damageOf = (of: Effects) => checkContent(schema, { ledger, effects: of })
    expect((await damageOf(more)).lost).toEqual(['ITEM_PUBLISHED CONT_0 1'])
    expect((await damageOf(fewer)).phantom).toEqual([some])
    expect((await damageOf(none)).dup).toEqual([some])
  })
})

/** Creates two items, one with two versions, and records what was acknowledged. */
async function fill(schema: string, ledger: Ledger): Promise<Effects> {
  const quire = createQuire({ store: await openPostgresStore({ url: databaseUrl(), schema }) })
  const api = quire.as(systemIdentity('driver'))
  const effects: Effects = new Map()
  await api.repositories.create({ name: repository })
  const text = { kind: 'text' } as const
  await api.types.create({
    name: 'note',
    fields: [
      { name: 'key', ...text },
      { name: 'body', ...text },
      { name: 'size', kind: 'integer' },
    ],
  })
  const write = async (key: string, id?: string) => {
    const content = contentOf(key)
    await ledger.noteSent({ key, method: 'POST', path: 'items', body: '', hash: hashOf(content) })
    const item = id
      ? await api.items.update({ configId: repository, id, ...content })
      : await api.items.create({ repositoryId: repository, type: 'note', ...content })
    const { latestVersion: version } = item
    await ledger.noteAcknowledged({ key, id: item.id, version })
    addEffect(effects, { event: id ? 'ITEM_UPDATED' : 'ITEM_CREATED', id: item.id, version })
    return item.id
  }
  await write('0-0-2', await write('0-0-1'))
  await write('0-1-1')
  await quire.close()
  return effects
}
