import type { Api } from '@quire/contract'
import { repository as configId } from './world-content.ts'

/** The ids of folders and categories. */
export interface Structure {
  /** One within the other, with readable items in both. */
  readonly folders: readonly [outer: string, inner: string]
  /** A folder with readable items only. */
  readonly plain: string
  /** A folder with hidden items only, in both worlds. */
  readonly closed: string
  readonly taxonomyId: string
  /** The last one is a child of the second, and only hidden items have it. */
  readonly categories: readonly [string, string, string]
}

/** Creates folders and categories. The name of the last of each contains the word of the world. */
export async function makeStructure(api: Api, word: string): Promise<Structure> {
  const folder = async (name: string, parentId: string | null = null) =>
    (await api.folders.create({ configId, name, parentId, description: `Where ${name} is` })).id
  const outer = await folder('Atrium')
  const inner = await folder('Belfry', outer)
  const plain = await folder('Cloister')
  const closed = await folder(`Dungeon ${word}`)
  const { id: taxonomyId } = await api.taxonomies.create({ configId, name: 'Colours' })
  const category = async (name: string, parentId: string | null = null) =>
    (await api.categories.create({ configId, taxonomyId, name, parentId })).id
  const red = await category('Crimson')
  const blue = await category('Azure')
  const categories = [red, blue, await category(`Ultramarine ${word}`, blue)] as const
  return { folders: [outer, inner], plain, closed, taxonomyId, categories }
}

const number = 'number' as const
const text = 'text' as const

/** Saves queries that both worlds have. */
export async function makeQueries(api: Api): Promise<void> {
  const query = { text: { $param: 'words' }, highlight: true, facets: ['type', 'categories'] }
  await api.savedQueries.create({
    configId,
    name: 'words',
    query,
    parameters: [{ name: 'words', kind: text }],
  })
  await api.savedQueries.create({
    configId,
    name: 'numbers',
    query: { filter: { 'fields.price': { gte: { $param: 'least' } } }, sort: 'name', include: ['related'] },
    parameters: [{ name: 'least', kind: number, default: 0 }],
  })
  await api.savedQueries.create({
    configId,
    name: 'secrets',
    query: { filter: { 'fields.secret': { exists: true } }, facets: ['fields.secret'] },
    parameters: [],
  })
}
