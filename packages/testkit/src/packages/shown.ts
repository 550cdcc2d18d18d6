import type { Api, Item } from '@quire/contract'
import { repo } from './magazine-engine.ts'
import { outcomeOf } from './outcome.ts'
import type { Read } from './reads-of-main.ts'

const configId = repo

/** What an item says and is, without numbers, times and people; null when it is not shown. */
export async function shownOn(api: Api, id: string, packageName?: string): Promise<Partial<Item> | null> {
  const { code, answer } = await outcomeOf(
    api.items.get({ configId, id, ...(packageName !== undefined && { packageName }) }),
  )
  if (code !== 'done') return null
  const { name, slug, description, folderId, taxonomies, fields, isArchived, isPublished } = answer ?? {}
  const { asset, originalFileName } = answer ?? {}
  // Where they are fetched is another place on each line.
  const renditions = answer?.renditions?.map((rendition) => ({ ...rendition, url: '' }))
  const said = { name, slug, description, folderId, taxonomies, fields, asset, originalFileName, renditions }
  return { ...said, isArchived, isPublished } as Partial<Item>
}

/** Whether a package has an older version of its own published: that one does not come to main (see `publishedIn` in core). */
export async function isOldPublished(api: Api, id: string, packageName: string): Promise<boolean> {
  const { answer } = await outcomeOf(api.items.versions({ configId, id, packageName, limit: 1000 }))
  return answer?.items.some(({ isLatest, isLatestPublished }) => isLatestPublished && !isLatest) ?? false
}

/** What a package does, without how main stands to it. */
export async function differencesIn(api: Api, packageName: string): Promise<unknown[]> {
  const { items } = await api.packages.diff({ repo, packageName, limit: 1000 })
  return items.map(({ mainVersion: _version, mainMoved: _moved, ...difference }) => difference)
}

/** Every read of what a package holds, through the package. */
export async function readsOfHeld(api: Api, packageName: string): Promise<Read[]> {
  const { items } = await api.packages.changes({ repo, packageName, limit: 1000 })
  const ids = items.map(({ entity }) => entity.id)
  const line = { configId, packageName }
  const shown = await Promise.all(ids.map((id) => shownOn(api, id, packageName)))
  const slugs = shown.flatMap((item) => item?.slug ?? [])
  return [
    ...ids.flatMap((id) => readsOfOne(id, line)),
    ...slugs.map((slug) => ({ group: 'items', operation: 'getBySlug', input: { ...line, slug } })),
    ...['-updatedDate', 'name'].map((sort) => ({
      group: 'items',
      operation: 'list',
      input: { ...line, sort, archived: true, filter: { id: { in: ids } } },
    })),
  ]
}

function readsOfOne(id: string, line: object): Read[] {
  const read = (operation: string, input: object): Read => ({
    group: 'items',
    operation,
    input: { ...line, ...input },
  })
  return [
    read('get', { id }),
    ...['latestpublished', '1', '2'].map((version) => read('get', { id, version })),
    read('versions', { id }),
    read('diff', { id, from: '1' }),
    ...['original', 'thumbnail', 'poster'].map((rendition) => ({
      group: 'assets',
      operation: 'get',
      input: { ...line, assetId: id, rendition },
    })),
    { group: 'renditions', operation: 'list', input: { ...line, assetId: id } },
  ]
}
