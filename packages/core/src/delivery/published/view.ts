import { PublishedItem, type Item } from '@quire/contract'
import { noSuchItem } from '../../content/items/find.ts'
import { assetPath } from '../../content/items/asset.ts'
import type { View } from '../../content/items/pick.ts'
import { storedItem } from '../../content/items/item-json.ts'
import type { Entity } from '../../ports/index.ts'

const members: ReadonlySet<string> = new Set(Object.keys(PublishedItem.shape))

/** Items as the public sees them. */
export const publishedView: View = {
  members,
  isVisible: ({ version, publishedVersion, archived }) => publishedVersion === version && !archived,
  serialize: (item) => ({ ...publicItem(item), renditions: publicRenditions(item) }),
}

/** What the public finds of a list. */
export const isPublished = { field: { member: 'status' }, op: 'eq', value: 'published' } as const

/** Members that the public may filter and sort by: those that it sees and that are the published version's own. */
export const publicMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'name',
  'slug',
  'folderId',
  'createdDate',
  'updatedDate',
  'publishedDate',
])

function publicItem(item: Item): Pick<Item, 'id'> & Partial<Item> {
  const entries = Object.entries(item).filter(([name]) => members.has(name))
  return { id: item.id, ...Object.fromEntries(entries) }
}

function publicRenditions({ id, repositoryId, renditions }: Item): Item['renditions'] {
  const path = assetPath({ repositoryId, packageName: null, id })
  const published = path.replace('/api/assets/', '/api/published/assets/')
  return renditions.map((rendition) => ({ ...rendition, url: rendition.url.replace(path, published) }))
}

/**
 * Errors: `not_found` for a version other than the published one. Its true number is in what the head presents: on its own branch it is
 * the first.
 */
export function requirePublishedVersion(version: string | undefined, { json }: Pick<Entity, 'json'>): void {
  if (version === undefined || version === 'latest' || version === 'latestpublished') return
  const { currentVersion } = storedItem({ json })
  if (Number(version) !== currentVersion) throw noSuchItem()
}
