import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'

const built = join(import.meta.dirname, '../dist/index.js')
const isBuilt = existsSync(built)
const skipped = isBuilt ? '' : ' (skipped: npm run build makes it)'

const folder = mkdtempSync(join(tmpdir(), 'quire-built-'))
afterAll(() => rmSync(folder, { recursive: true }))

const script = `
  import { openSqliteStore } from ${JSON.stringify(pathToFileURL(built).href)}
  const store = await openSqliteStore({ file: ${JSON.stringify(join(folder, 'quire.db'))} })
  const branch = { repositoryId: 'REPO_1', packageId: null }
  const who = { userName: 'ann', displayName: 'Ann', email: 'ann@example.com' }
  const dates = { createdDate: 1, updatedDate: 1, publishedDate: null, deletedDate: null }
  await store.transaction((tx) => tx.entities.put({
    ...branch, ...dates, kind: 'item', id: 'CONT_1', type: 'note', name: 'Note', slug: 'note', parentId: null,
    roles: { read: [], write: [], delete: [] }, body: {}, version: 1, revision: 1, base: null, publishedVersion: null, inheritsPublished: false,
    archived: false, createdBy: who, updatedBy: who, json: '{}', values: [], edges: [], search: null,
  }, 0))
  const facets = await store.entities.facets(branch, {
    kind: 'item', reader: { types: 'all', roles: 'all' }, archived: false, fields: [{ member: 'type' }], limit: 1,
  })
  const reindexed = await Array.fromAsync(store.indexes.reindex('REPO_1', { after: 0, limit: 10 }))
  await store.close()
  process.stdout.write(JSON.stringify({ facets, reindexed }))`

/** Checks that chunks and the code of the worker thread are where the package looks for them. */
describe.skipIf(!isBuilt)(`the built package${skipped}`, () => {
  it('starts its worker thread, reads and reindexes in it, and ends', () => {
    const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
      timeout: 15_000,
    })
    expect(ran).toMatchObject({ status: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual({
      facets: [[{ value: 'note', count: 1 }]],
      reindexed: [{ next: null, done: 0 }],
    })
  })
})
