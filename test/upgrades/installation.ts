import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openFileBlobs } from '@quire/blobs-fs'
import { createQuire, systemIdentity, type Quire } from '@quire/core'
import { memorySecrets } from '@quire/core/memory'
import { sqliteMigrations } from '@quire/store-sql'
import { openSqliteStore } from '@quire/store-sqlite'

/** The number of the current schema. */
export const schemaNumber = Math.max(...sqliteMigrations.map(({ version }) => version))

/** A hash over the current schema migrations. */
export const schemaHash = createHash('sha256')
  .update(sqliteMigrations.map(({ version, sql }) => `${version}\n${sql}`).join('\n'))
  .digest('hex')

/** A data folder that was created with an earlier version of the project. */
export interface Fixture {
  readonly schemaNumber: number
  /** A hash over the migrations up to that number, as they were at that time. */
  readonly schemaHash: string
  /** Paths in the folder, with the bytes in base64. */
  readonly files: Readonly<Record<string, string>>
}

const fixtures = join(import.meta.dirname, 'fixtures')

/** The schema numbers that have a fixture. */
export function fixtureNumbers(): number[] {
  const names = readdirSync(fixtures).filter((name) => name.startsWith('sqlite-'))
  return names.map((name) => Number(/^sqlite-(\d+)\.json\.gz$/.exec(name)?.[1])).toSorted((a, b) => a - b)
}

export function readFixture(number: number): Fixture {
  return JSON.parse(gunzipSync(readFileSync(fixturePath(number))).toString()) as Fixture
}

/** Stores a closed data folder as the fixture of the current schema. */
export function storeFixture(folder: string): string {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  const paths = names.map((entry) => join(entry.parentPath, entry.name))
  const files = Object.fromEntries(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(path).toString('base64')]),
  )
  const fixture: Fixture = { schemaNumber, schemaHash, files }
  writeFileSync(fixturePath(schemaNumber), gzipSync(JSON.stringify(fixture), { level: 9 }))
  return fixturePath(schemaNumber)
}

/** Writes the files of a fixture to an empty folder. */
export function unpack({ files }: Fixture, folder: string): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), Buffer.from(bytes, 'base64'))
  }
}

/** A text that versions and heads point to from schema 16 on. */
export const longText = 'A lantern in the frost. '.repeat(4_000)

/** Opens the engine on a data folder, as the service does. */
export async function openFolder(folder: string): Promise<Quire> {
  const store = await openSqliteStore({ file: join(folder, 'quire.db') })
  const blobs = await openFileBlobs({ folder: join(folder, 'blobs') })
  return createQuire({ store, blobs, secrets: memorySecrets(randomBytes(32)) })
}

/**
 * Creates a little of everything that is stored: versions, a draft that is ahead of the published
 * version, a package, a site, a file, people.
 */
export async function fill(quire: Quire): Promise<void> {
  const api = quire.as(systemIdentity('fixture'))
  const at = { configId: 'magazine' }
  const { id: repositoryId } = await api.repositories.create({ name: 'magazine', public: true })
  await api.types.create({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
  await api.types.create({ name: 'file', settings: { isAsset: true }, fields: [] })
  const folder = await api.folders.create({ ...at, name: 'Winter' })
  const taxonomy = await api.taxonomies.create({ ...at, name: 'Subjects' })
  const category = await api.categories.create({ ...at, taxonomyId: taxonomy.id, name: 'Frost' })
  const article = { repositoryId, type: 'article', folderId: folder.id, categories: [category.id] }
  const one = await api.items.create({ ...article, name: 'One', slug: 'one', fields: { title: 'A lantern' } })
  await api.items.publish({ ...at, id: one.id })
  await api.items.update({ ...at, id: one.id, fields: { title: 'A draft ahead' } })
  const long = await api.items.create({ ...article, name: 'Long', slug: 'long', fields: { title: longText } })
  await api.items.update({ ...at, id: long.id, name: 'Still long' })
  const gone = await api.items.create({ ...article, name: 'Gone', slug: 'gone' })
  await api.items.delete({ ...at, id: gone.id })
  await api.assets.create({ ...at, file: new File(['frost on a pane'], 'frost.txt') })
  await api.packages.create({ repo: 'magazine', name: 'spring' })
  await api.items.update({ ...at, packageName: 'spring', id: one.id, name: 'One in spring' })
  const role = await api.roles.create({ name: 'editors', bundles: ['bundle.viewer'] })
  await api.users.create({ id: 'ada@example.com', name: 'Ada', roles: [role.id] })
  const site = await api.sites.create({ ...at, name: 'Magazine', slug: 'magazine' })
  const section = await api.sections.create({ ...at, siteId: site.id, name: 'Articles', slug: 'articles' })
  const page = { name: 'On frost', slug: 'frost', sectionId: section.id }
  await api.pages.create({ ...at, siteId: site.id, ...page })
  await api.sites.publish({ ...at, siteId: site.id })
  await quire.settled()
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

function fixturePath(number: number): string {
  return join(fixtures, `sqlite-${number}.json.gz`)
}
