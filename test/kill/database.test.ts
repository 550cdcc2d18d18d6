import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createQuire, systemIdentity } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentOf, hashOf } from './content.ts'
import { noDamage } from './damage.ts'
import { checkDatabase } from './database.ts'
import { openLedger } from './ledger.ts'
import { repository } from './writer.ts'

const first = `(SELECT head FROM heads WHERE type = 'note' ORDER BY head LIMIT 1)`
const document = `(SELECT row FROM search_documents WHERE head = ${first})`
const bothEnds = `(SELECT min(row) + max(row) FROM search_documents WHERE kind = 'item')`

/** Damage to a sound file, and the expected report. */
const damages: readonly (readonly [name: string, sql: string, given: string])[] = [
  [
    'a note without document',
    `DELETE FROM search_documents WHERE head = ${first}`,
    'a live head has no document',
  ],
  ['a document without words', `DELETE FROM search WHERE rowid = ${document}`, 'a document has no words'],
  [
    'a note that is not found by its word',
    `DELETE FROM search WHERE rowid = ${document}; INSERT INTO search (rowid, words) VALUES (${document}, 'other')`,
    'a note is not found by its word',
  ],
  [
    'two notes under each other’s numbers',
    `UPDATE search_documents SET row = row - ${bothEnds} WHERE kind = 'item';
     UPDATE search_documents SET row = -row WHERE row < 0`,
    'a note is not found by its word',
  ],
  ['words of nothing', `INSERT INTO search (rowid, words) VALUES (999, 'words')`, 'words have no document'],
  [
    'a word of a note that never was',
    `INSERT INTO search (rowid, words) VALUES (999, (SELECT format('0000%dia', branch) FROM heads WHERE head = ${first}) || 'word9x9x9')`,
    'the index has a word of no note',
  ],
  [
    'a document of another name',
    `UPDATE search_documents SET name = 'Other' WHERE head = ${first}`,
    'a document is not of the branch, the kind and the name of its head',
  ],
  [
    'a note that is deleted and still found',
    `UPDATE heads SET deleted_date = 5 WHERE head = ${first}`,
    'a document has no live head',
  ],
  [
    'a value of a note that is gone',
    `DELETE FROM field_values WHERE head = ${first} AND path = 'key'`,
    'a live head is not found by its field',
  ],
  [
    'an earlier value',
    `UPDATE field_values SET value = 'sbefore' WHERE head = ${first} AND path = 'key'`,
    'a live head is not found by its field',
  ],
  [
    'a value with earlier state',
    `UPDATE field_values SET archived = 1 WHERE head = ${first}`,
    'a value is not marked as its head',
  ],
  [
    'a note that a list by category misses',
    `DELETE FROM field_values WHERE head = ${first} AND path = '@categories'`,
    'a category is not among the values',
  ],
  [
    'a note that a category does not know of',
    `DELETE FROM edges WHERE head = ${first}`,
    'a category is not among the edges',
  ],
  [
    'a note in a category that it left',
    `UPDATE search_documents SET categories = '[]' WHERE head = ${first}`,
    'something other than a category is among the edges',
  ],
  [
    'an edge of another branch',
    `UPDATE edges SET branch = branch + 1 WHERE head = ${first}`,
    'an edge is not of the branch and the id of its head',
  ],
]

const type = {
  name: 'note',
  fields: [
    { name: 'key', kind: 'text' as const },
    { name: 'body', kind: 'text' as const },
    { name: 'size', kind: 'integer' as const },
  ],
}

describe('the check of the database file after kills', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-kill-file-'))
  const sound = join(folder, 'sound.db')
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  beforeAll(async () => {
    const quire = createQuire({ store: await openSqliteStore({ file: sound }) })
    const api = quire.as(systemIdentity('driver'))
    await api.repositories.create({ name: repository })
    await api.types.create(type)
    const taxonomy = await api.taxonomies.create({ configId: repository, name: 'Inks' })
    const category = { configId: repository, taxonomyId: taxonomy.id, name: 'Iron' }
    const categories = [(await api.categories.create(category)).id]
    for (const key of ['0-0-0', '0-0-1', '0-1-0']) {
      const content = contentOf(key)
      await ledger.noteSent({ key, method: 'POST', path: '/api/items', body: '', hash: hashOf(content) })
      const item = await api.items.create({ repositoryId: repository, type: 'note', ...content, categories })
      await ledger.noteAcknowledged({ key, id: item.id, version: 1 })
    }
    await quire.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('accepts a sound file', () => {
    expect(checkDatabase(sound, ledger)).toEqual(noDamage)
  })

  it.each(damages)('reports %s', (name, sql, given) => {
    const damaged = join(folder, `${name}.db`)
    cpSync(sound, damaged)
    const database = new DatabaseSync(damaged)
    database.exec(sql)
    database.close()
    expect(checkDatabase(damaged, ledger).torn.join('\n')).toContain(given)
  })
})
