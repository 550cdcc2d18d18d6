import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Api, Item } from '@quire/contract'
import { createQuire, systemIdentity } from '@quire/core'
import type { EntityWrite, Store } from '@quire/core/ports'
import { openSqliteStore } from '@quire/store-sqlite'
import { createSource, noteAt, parts, type Note } from './corpus.ts'

const repository = 'corpus'

/** The parents of the notes of a corpus. */
interface Structure {
  readonly categories: readonly string[]
  readonly folders: readonly string[]
}

// Notes written per transaction.
const atOnce = 2000

/**
 * Creates a data folder with a corpus. The engine creates the repository, content type, folders,
 * categories and first note. The other notes are written directly to the store, as copies of the
 * first with other words, because a million notes would take the engine ten minutes.
 */
export async function fillCorpus(folder: string, count: number): Promise<string> {
  const data = join(folder, `corpus-${count}`)
  mkdirSync(data)
  writeFileSync(join(data, 'server.key'), randomBytes(32), { mode: 0o600 })
  const captured = capturing(await openSqliteStore({ file: join(data, 'quire.db') }))
  const quire = createQuire({ store: captured.store })
  const api = quire.as(systemIdentity('bench'))
  const structure = await prepare(api)
  const source = createSource(count)
  const first = noteAt(0, source)
  await api.items.create(inputOf(first, structure))
  const model = captured.last()
  for (let start = 1; start < count; start += atOnce) {
    const notes = Array.from({ length: Math.min(atOnce, count - start) }, (_, index) =>
      noteAt(start + index, source),
    )
    await captured.store.transaction(async (tx) => {
      for (const [index, note] of notes.entries())
        await tx.entities.put(copyOf(model, { note, structure, index: start + index }), 0)
    })
  }
  await quire.close()
  return data
}

/** A store that remembers the last entity that was put. */
function capturing(store: Store): { readonly store: Store; readonly last: () => EntityWrite } {
  let last: EntityWrite | undefined
  return {
    store: {
      ...store,
      transaction: (work, options) =>
        store.transaction(
          (tx) =>
            work({
              ...tx,
              entities: {
                ...tx.entities,
                put: (entity, expected) => {
                  last = entity
                  return tx.entities.put(entity, expected)
                },
              },
            }),
          options,
        ),
    },
    last() {
      if (!last) throw new TypeError('Nothing was put.')
      return last
    },
  }
}

async function prepare(api: Api): Promise<Structure> {
  await api.repositories.create({ name: repository })
  await api.types.create({
    name: 'note',
    fields: [
      { name: 'body', kind: 'text' },
      { name: 'topic', kind: 'text', searchable: false },
      { name: 'price', kind: 'number' },
    ],
  })
  const taxonomy = await api.taxonomies.create({ configId: repository, name: 'Subjects' })
  const categories: string[] = []
  for (let index = 0; index < parts.categories; index++) {
    const input = { configId: repository, taxonomyId: taxonomy.id, name: `Subject ${index}` }
    categories.push((await api.categories.create(input)).id)
  }
  const folders: string[] = []
  for (let index = 0; index < parts.folders; index++)
    folders.push((await api.folders.create({ configId: repository, name: `Folder ${index}` })).id)
  return { categories, folders }
}

function inputOf({ category, folder, ...note }: Note, { categories, folders }: Structure) {
  return {
    ...note,
    repositoryId: repository,
    type: 'note',
    categories: [categories[category] ?? ''],
    folderId: folders[folder] ?? null,
  }
}

interface Copy {
  readonly note: Note
  readonly structure: Structure
  readonly index: number
}

/** The write that the engine would make for a note. */
function copyOf(model: EntityWrite, { note, structure, index }: Copy): EntityWrite {
  const { name, slug, description, fields } = note
  const { categories, folderId } = inputOf(note, structure)
  const id = `CONT_01JB2Q5M3T${String(index).padStart(16, '0')}`
  const date = model.updatedDate + index
  const visible: Item = JSON.parse(model.json)
  const { taxonomies: _taxonomies, ...members } = visible
  const item = {
    ...members,
    id,
    name,
    slug,
    slugSearch: slug.replaceAll('-', ' '),
    description,
    fields,
    folderId,
  }
  const dates = { createdDate: date, updatedDate: date }
  return {
    ...model,
    ...dates,
    id,
    name,
    slug,
    parentId: folderId,
    writtenDate: date,
    body: { ...model.body, description, categories, fields },
    json: JSON.stringify({ ...item, ...dates, taxonomies: categories }),
    values: [
      { path: 'body', value: fields.body },
      { path: 'topic', value: fields.topic },
      { path: 'price', value: fields.price },
      ...categories.map((value) => ({ path: '@categories', value })),
    ],
    edges: [
      ...categories.map((targetId) => ({ path: 'categories', targetId, onDelete: 'unset' as const })),
      { path: 'parent', targetId: folderId ?? '', onDelete: 'ignore' as const },
    ],
    search: {
      name,
      passages: [
        { path: 'description', text: description },
        { path: 'slug', text: slug.replaceAll('-', ' ') },
        { path: 'fields.body', text: fields.body },
      ],
      categories,
      file: null,
    },
  }
}

/** The names that the bench uses in its requests. */
export async function structureOf(data: string): Promise<Structure> {
  const quire = createQuire({ store: await openSqliteStore({ file: join(data, 'quire.db') }) })
  const api = quire.as(systemIdentity('bench'))
  const { items: folders } = await api.folders.list({ configId: repository, limit: 1000 })
  const { items: taxonomies } = await api.taxonomies.list({ configId: repository })
  const { items: categories } = await api.categories.list({
    configId: repository,
    taxonomyId: taxonomies[0]?.id ?? '',
    limit: 1000,
  })
  await quire.close()
  return { folders: folders.map(({ id }) => id), categories: categories.map(({ id }) => id) }
}
