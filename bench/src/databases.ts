import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { all } from '@quire/client'
import { systemIdentity } from '@quire/core'
import Database from 'better-sqlite3'
import { openEngine } from './account.ts'
import { fill, type Filling } from './articles.ts'

/** Creates a Quire data folder with `count` articles through the engine. Returns the folder. */
export async function fillQuire(folder: string, count: number, filling?: Filling): Promise<string> {
  const data = join(folder, `quire-${count}`)
  mkdirSync(data)
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
  const quire = await openEngine(data)
  await fill(quire.as(systemIdentity('bench')), count, filling)
  await quire.close()
  return data
}

/** A copy of a data folder in which the repository is public and the first `count` articles are published. */
export async function publishedCopy(data: string, count: number): Promise<string> {
  const copy = mkdtempSync(`${data}-published-`)
  cpSync(data, copy, { recursive: true })
  const quire = await openEngine(copy)
  const api = quire.as(systemIdentity('bench'))
  await api.repositories.update({ id: 'bench', public: true })
  for (let index = 0; index < count; index++) {
    const { id } = await api.items.getBySlug({ configId: 'bench', slug: `article-${index}` })
    await api.items.publish({ configId: 'bench', id })
  }
  await quire.close()
  return copy
}

/** Copies the answers of Quire into the bare server's table, so that both send the same bytes. */
export async function fillBare(folder: string, data: string): Promise<string> {
  const file = join(folder, 'bare.db')
  const database = createBare(file)
  const insert = database.prepare(
    'INSERT INTO items (slug, category, updated, body, small) VALUES (?, ?, ?, ?, ?)',
  )
  const quire = await openEngine(data)
  const api = quire.as(systemIdentity('bench'))
  database.exec('BEGIN')
  for await (const { slug, updatedDate, fields, ...item } of all(api.items.list, {
    configId: 'bench',
    limit: 1000,
  })) {
    const small = { id: item.id, name: item.name, slug, fields: { title: fields?.['title'] } }
    const body = JSON.stringify({ ...item, slug, updatedDate, fields })
    insert.run(slug, categoryOf(fields), updatedDate, body, JSON.stringify(small))
  }
  database.exec('COMMIT')
  database.close()
  await quire.close()
  return file
}

/** Creates an empty database for the bare server. */
export function createBare(file: string): Database.Database {
  const database = new Database(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec(
    'CREATE TABLE items (id INTEGER PRIMARY KEY, slug TEXT, category TEXT, updated INTEGER, body TEXT, small TEXT) STRICT',
  )
  database.exec('CREATE UNIQUE INDEX by_slug ON items (slug)')
  database.exec('CREATE INDEX by_category ON items (category, updated)')
  return database
}

function categoryOf(fields: Readonly<Record<string, unknown>> = {}): string {
  return typeof fields['category'] === 'string' ? fields['category'] : ''
}
