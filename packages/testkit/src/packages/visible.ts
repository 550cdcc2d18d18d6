import type { Api, Item } from '@quire/contract'
import { repo, type MagazineEngine } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import type { Read } from './reads-of-main.ts'

const configId = repo

/**
 * The visible content and state of an entity, without version numbers, times and people; null when
 * it is not visible.
 */
export async function visibleOn(
  { api, taxonomyId }: Pick<MagazineEngine, 'api' | 'taxonomyId'>,
  id: string,
  packageName?: string,
): Promise<object | null> {
  const at = { configId, id, ...(packageName !== undefined && { packageName }) }
  if (id.startsWith('FOLD_')) return structureOf(api.folders.get(at))
  if (id.startsWith('TAXO_')) return structureOf(api.taxonomies.get(at))
  if (id.startsWith('CATG_')) return structureOf(api.categories.get({ ...at, taxonomyId }))
  return itemOf(api.items.get(at))
}

async function structureOf(
  call: Promise<{ name: string; description: string; parentId?: string | null; order?: number }>,
): Promise<object | null> {
  const { code, answer } = await outcomeOf(call)
  if (code !== 'done') return null
  const { name, description, parentId, order } = answer ?? {}
  return { name, description, parentId, order }
}

async function itemOf(call: ReturnType<Api['items']['get']>): Promise<Partial<Item> | null> {
  const { code, answer } = await outcomeOf(call)
  if (code !== 'done') return null
  const { name, slug, description, folderId, taxonomies, fields, isArchived, isPublished } = answer ?? {}
  const { asset, originalFileName } = answer ?? {}
  // The URLs of renditions differ between branches.
  const renditions = answer?.renditions?.map((rendition) => ({ ...rendition, url: '' }))
  const given = { name, slug, description, folderId, taxonomies, fields, asset, originalFileName, renditions }
  return { ...given, isArchived, isPublished } as Partial<Item>
}

/**
 * Whether a package has published an older version of its own of an item. That version is not
 * merged to main (see `publishedIn` in core).
 */
export async function isOldPublished(api: Api, id: string, packageName: string): Promise<boolean> {
  if (!id.startsWith('CONT_')) return false
  // By its number: `latestpublished` finds nothing while the item is archived.
  const on = { configId, id, packageName }
  const { answer: versions } = await outcomeOf(api.items.versions({ ...on, limit: 1000 }))
  const published = versions?.items.find(({ isLatestPublished }) => isLatestPublished)
  if (!published || published.isLatest) return false
  const { answer } = await outcomeOf(api.items.get({ ...on, version: String(published.version) }))
  return answer?.packageName === packageName
}

/** The differences that a package makes, without the current state of main. */
export async function differencesIn(api: Api, packageName: string): Promise<unknown[]> {
  const { items } = await api.packages.diff({ repo, packageName, limit: 1000 })
  return items.map(({ mainVersion: _version, mainMoved: _moved, ...difference }) => difference)
}

/** All reads, through the package, of the items that it contains. */
export async function readsOfHeld(api: Api, packageName: string): Promise<Read[]> {
  const { items } = await api.packages.changes({ repo, packageName, limit: 1000 })
  const held = items.map(({ entity }) => entity).filter(({ kind }) => kind === 'item')
  const ids = held.map(({ id }) => id)
  const branch = { configId, packageName }
  const visible = await Promise.all(ids.map((id) => itemOf(api.items.get({ ...branch, id }))))
  const slugs = visible.flatMap((item) => item?.slug ?? [])
  return [
    ...ids.flatMap((id) => readsOfOne(id, branch)),
    ...slugs.map((slug) => ({ group: 'items', operation: 'getBySlug', input: { ...branch, slug } })),
    ...['-updatedDate', 'name'].map((sort) => ({
      group: 'items',
      operation: 'list',
      input: { ...branch, sort, archived: true, filter: { id: { in: ids } } },
    })),
  ]
}

function readsOfOne(id: string, branch: object): Read[] {
  const read = (operation: string, input: object): Read => ({
    group: 'items',
    operation,
    input: { ...branch, ...input },
  })
  return [
    read('get', { id }),
    ...['latestpublished', '1', '2'].map((version) => read('get', { id, version })),
    read('versions', { id }),
    read('diff', { id, from: '1' }),
    ...['original', 'thumbnail', 'poster'].map((rendition) => ({
      group: 'assets',
      operation: 'get',
      input: { ...branch, assetId: id, rendition },
    })),
    { group: 'renditions', operation: 'list', input: { ...branch, assetId: id } },
  ]
}
