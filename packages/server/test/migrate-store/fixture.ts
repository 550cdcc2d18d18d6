import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openFileBlobs } from '@quire/blobs-fs'
import { limits } from '@quire/contract'
import { openSqliteStore } from '@quire/store-sqlite'
import { openSqliteRows } from '@quire/store-sqlite/rows'
import { onTestFinished } from 'vitest'
import { asAdministrator, databaseUrl, dropSchema, testSchema } from '../../../../test/services/postgres.ts'
import {
  beginHistory,
  deeds,
  takeAll,
  type History,
  type Step,
} from '../../../testkit/src/packages/history.ts'
import { openMagazine, repo } from '../../../testkit/src/packages/magazine-engine.ts'
import type { Migration } from '../../src/migrate-store/installation.ts'
import { aFolder } from '../cli.ts'

/** A data folder with a history of main and two packages, and its events. Its engine is open. */
export async function aUsedFolder(length: number): Promise<{ data: string; history: History }> {
  const data = aFolder()
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
  mkdirSync(join(data, 'blobs'))
  const engine = await openMagazine({
    store: await openSqliteStore({ file: join(data, 'quire.db') }),
    blobs: await openFileBlobs({ folder: join(data, 'blobs'), minFreeBytes: 0 }),
  })
  const history = await beginHistory(engine)
  for (const name of ['one', 'two']) await engine.api.packages.create({ repo, name })
  await takeAll(history, stepsOf(length))
  await addOddities(history)
  return { data, history }
}

function stepsOf(length: number): Step[] {
  return Array.from({ length }, (_, n): Step => {
    const does = deeds[(n * 7) % deeds.length] ?? 'edit'
    return { does, on: [null, 'one', 'two'][n % 3] ?? null, item: n % 23, value: (n * 13) % 41 }
  })
}

/** Values that another database might change. */
const odd = ['😀 𝒳 é', 'a\'b"c\\d', '\u{1}\t\r\n', '{"a":[1]}', '\\u0000', ' ', 'long words '.repeat(9_000)]

async function addOddities({ engine: { api, store }, ids }: History): Promise<void> {
  for (const [index, text] of odd.entries()) {
    const fields = {
      title: text.slice(0, 200),
      notes: text.repeat(20).slice(0, limits.text),
      price: index / 3,
    }
    const given = { name: `Odd ${text.slice(0, 50)}`, description: text.slice(0, 9000), fields }
    ids.push((await api.items.create({ repositoryId: repo, type: 'article', ...given })).id)
  }
  await api.packages.create({ repo, name: 'reviewed' })
  const body = odd
    .filter((text) => !text.includes('\0'))
    .join('')
    .slice(0, limits.packageComment)
  await api.packages.addComment({ repo, packageName: 'reviewed', body, decision: 'approve' })
  const { id } = await api.roles.create({ name: 'Editors', bundles: ['bundle.editor'] })
  await api.users.create({ id: 'ada@example.org', name: 'Ada', roles: [id] })
  const hook = { name: 'Told', url: 'https://hooks.example/told', repositoryId: repo }
  await api.webhooks.create({ ...hook, events: ['ITEM_CREATED'] })
  await api.items.create({ repositoryId: repo, type: 'article', name: 'Told of', fields: { title: 'Told' } })
  await store.transaction(async (tx) => {
    await tx.texts.put('a'.repeat(64), 'before\0after')
    await tx.ephemera.put('odd\0key', 'value', Number.MAX_SAFE_INTEGER)
  })
}

/** The target of a copy: a schema of its own, which is dropped after the test. */
export function aTarget(): { readonly url: string; readonly schema: string } {
  const schema = testSchema()
  onTestFinished(() => dropSchema(schema))
  return { url: databaseUrl(), schema }
}

/** Runs a migration of a folder without reporting progress. */
export async function migrating<T>(
  data: string,
  where: Pick<Migration, 'database' | 'bucket'>,
  work: (migration: Migration) => Promise<T>,
): Promise<T> {
  const folder = {
    database: join(data, 'quire.db'),
    blobs: join(data, 'blobs'),
    key: join(data, 'server.key'),
  }
  const source = openSqliteRows(folder.database)
  const nothing = () => undefined
  try {
    const listener = { begin: nothing, moved: nothing, end: nothing }
    return await work({ source, folder, listener, ...where })
  } finally {
    source.close()
  }
}

/** Changes rows of a schema directly. */
export async function change(schema: string, text: string): Promise<number> {
  return asAdministrator(async (client) => {
    await client.query(`SET search_path = ${schema}`)
    return (await client.query(text)).rowCount ?? 0
  })
}
