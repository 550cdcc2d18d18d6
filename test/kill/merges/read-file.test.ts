import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createQuire, systemIdentity } from '@quire/core'
import { openSqliteStore } from '@quire/store-sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Harm } from './finding.ts'
import { judge } from './judge.ts'
import { readFile } from './read-file.ts'
import { packageName, repository } from './seed-content.ts'
import { copySeed, databaseIn, seedFolder, type Seed } from './seed-folder.ts'

const size = 10
const onMain = '(SELECT id FROM branches WHERE package_id IS NULL)'
const anUpdated = `(SELECT id FROM versions WHERE branch = ${onMain} AND version = 2 ORDER BY row LIMIT 1)`

/** Damage to the file of a completed merge, and the kind of finding expected. */
const damages: readonly [string, string, Harm][] = [
  [
    'an item in its old state',
    `DELETE FROM journal WHERE entity_id = ${anUpdated} AND package_id IS NULL AND version = 2;
     UPDATE heads SET version = 1 WHERE branch = ${onMain} AND id = ${anUpdated};
     UPDATE bodies SET body = replace(body, '"after"', '"before"') WHERE head IN (SELECT head FROM heads WHERE branch = ${onMain} AND id = ${anUpdated});
     UPDATE head_json SET json = replace(json, '"after"', '"before"') WHERE head IN (SELECT head FROM heads WHERE branch = ${onMain} AND id = ${anUpdated});
     UPDATE field_values SET value = 'sbefore' WHERE path = 'mark' AND head IN (SELECT head FROM heads WHERE branch = ${onMain} AND id = ${anUpdated});
     DELETE FROM versions WHERE branch = ${onMain} AND version = 2 AND id = ${anUpdated};`,
    'partial',
  ],
  [
    'a package that stayed open',
    `UPDATE records SET data = json_set(data, '$.state', 'open') WHERE kind = 'package'`,
    'partial',
  ],
  ['no record of the merge', `DELETE FROM records WHERE kind = 'merge'`, 'partial'],
  [
    'a record that names fewer changes',
    `UPDATE records SET data = json_set(data, '$.changes', '[]') WHERE kind = 'merge'`,
    'torn',
  ],
  ['no entry of the merge', `DELETE FROM journal WHERE event = 'PACKAGE_MERGED'`, 'torn'],
  [
    'two entries of the merge',
    `INSERT INTO journal SELECT sequence + 1000, repository_id, package_id, entity_id, entity_type, event, version, status, date,
       person, request_id, details FROM journal WHERE event = 'PACKAGE_MERGED'`,
    'dup',
  ],
  [
    'two new versions of an item',
    `INSERT INTO versions SELECT row + 1000, branch, kind, id, 3, type, name, slug, parent_id, saved_date, saved_person, roles, body, blobs, files, parts, body_bytes
       FROM versions WHERE branch = ${onMain} AND version = 2 AND id = ${anUpdated}`,
    'torn',
  ],
  [
    'a missing version',
    `DELETE FROM versions WHERE branch = ${onMain} AND id = ${anUpdated} AND version = 1`,
    'torn',
  ],
  ['an outdated index', `UPDATE field_values SET value = 'sbefore' WHERE path = 'mark'`, 'torn'],
  ['an item without words', 'DELETE FROM search WHERE rowid = (SELECT min(rowid) FROM search)', 'torn'],
  ['an outdated search document', `UPDATE search_documents SET name = 'before'`, 'torn'],
]

describe('the check of the file after a merge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'quire-merge-file-'))
  let before: Seed
  let merged: Seed
  beforeAll(async () => {
    before = await seedFolder(join(folder, 'before'), size)
    merged = copySeed(before, join(folder, 'merged'))
    const quire = createQuire({ store: await openSqliteStore({ file: databaseIn(merged.folder) }) })
    await quire.as(systemIdentity('driver')).packages.merge({ repo: repository, packageName })
    await quire.close()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('finds no faults before and after the merge', () => {
    expect(judge(readFile(before), { size, isAcknowledged: false })).toEqual([])
    expect(judge(readFile(merged), { size, isAcknowledged: true })).toEqual([])
  })

  it('reports a missing acknowledged merge', () => {
    const [finding] = judge(readFile(before), { size, isAcknowledged: true })
    expect(finding?.harm).toBe('lost')
  })

  it.each(damages)('reports %s', (name, sql, harm) => {
    const damaged = copySeed(merged, join(folder, name))
    const database = new DatabaseSync(databaseIn(damaged.folder))
    // The damage has to bypass the triggers that protect the journal.
    database.exec(`DROP TRIGGER journal_kept; DROP TRIGGER journal_whole; ${sql}`)
    database.close()
    const findings = judge(readFile(damaged), { size, isAcknowledged: true })
    expect(findings.map((found) => found.harm)).toContain(harm)
  })
})
