import { PublishedItem, QuireError, type Item } from '@quire/contract'
import { noSuchItem } from '../items/find.ts'
import { assetPath } from '../items/asset.ts'
import type { View } from '../items/pick.ts'
import type { Entity } from '../ports/index.ts'

const members: ReadonlySet<string> = new Set(Object.keys(PublishedItem.shape))

/** Items as the public sees them. */
export const publishedView: View = {
  members,
  isShown: ({ version, publishedVersion, archived }) => publishedVersion === version && !archived,
  show: (item) => ({ ...publicItem(item), renditions: publicRenditions(item) }),
}

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

/** Errors: `not_found` for a version other than the published one. */
export function requirePublishedVersion(version: string | undefined, published: number): void {
  if (version === undefined || version === 'latest' || version === 'latestpublished') return
  if (Number(version) !== published) throw noSuchItem()
}

/** The true number of the published version that a head shows: on its own line it is the first. */
export function publishedNumber(head: Pick<Entity, 'presentation'>): number {
  const { currentVersion }: Item = JSON.parse(head.presentation)
  if (currentVersion === undefined) throw new QuireError('internal')
  return currentVersion
}
