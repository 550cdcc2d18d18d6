import { QuireError, PublishedItem, type Item } from '@quire/contract'
import { isHeadPublished } from '../../adapters/published.ts'
import type { Permissions } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { publishedBranch } from '../../content/items/publications.ts'
import { describeScope, findRepository, knownRepository, type Scope } from '../../engine/scope.ts'
import { openLocales } from '../../engine/locales.ts'
import { invalid } from '../../engine/check-input.ts'
import { noSuchItem } from '../../content/items/find.ts'
import { assetPath } from '../../content/items/asset.ts'
import type { View } from '../../content/items/pick.ts'
import { storedItem } from '../../content/items/item-json.ts'
import type { Entity } from '../../ports/index.ts'

/** The published branch of a repository, with a call that may read it. */
export interface PublishedScope {
  readonly call: Call
  readonly scope: Scope
}

/** What anyone may do in a public repository, on its published branch (specification 5.4). */
const publicKeys = new Set(['items.read', 'assets.read', 'assets.download'] as const)

/**
 * Opens the published branch of a repository. If the repository is public, the call gets the public
 * permissions there.
 * Errors: otherwise `unauthorized` for anonymous callers, whether the repository exists or not;
 * `not_found` for others.
 */
export async function publishedScope(call: Call, configId: string): Promise<PublishedScope> {
  const repository = await knownRepository(call, configId)
  const { identity } = call
  // The roles of its account count in one repository alone.
  const isElsewhere = identity.readsIn !== null && identity.readsIn !== repository?.id
  if (repository?.public && !isElsewhere) {
    if (identity.kind === 'anonymous') call.cacheTags?.open(repository.id)
    const permissions = withPublicKeys(identity.permissions, repository.id)
    return scopeOn({ ...call, identity: { ...identity, permissions } }, repository)
  }
  if (identity.kind === 'anonymous') throw new QuireError('unauthorized')
  return scopeOn(call, await findRepository(call, configId))
}

function scopeOn(caller: Call, repository: Scope['repository']): PublishedScope {
  // Public addresses ignore unknown parameters, which `locale` is without locales.
  const { localeChoice: _, ...plain } = caller
  const call: Call = repository.settings.locales ? caller : plain
  openLocales(call, repository)
  const { locale } = call.localeChoice ?? {}
  if (locale === '*')
    throw invalid([{ path: 'locale', message: 'must be one locale: each has its own published version' }])
  const branch = publishedBranch(repository, locale)
  describeScope(call, branch)
  return { call, scope: { repository, package: null, branch } }
}

function withPublicKeys(permissions: Permissions, repositoryId: string): Permissions {
  const held = permissions.repos.get(repositoryId) ?? []
  return {
    ...permissions,
    repos: new Map([...permissions.repos, [repositoryId, new Set([...held, ...publicKeys])]]),
  }
}

const members: ReadonlySet<string> = new Set(Object.keys(PublishedItem.shape))

/** The view of items that the public has. */
export const publishedView: View = {
  members,
  isVisible: (head) => isHeadPublished(head) && !head.archived,
  serialize: (item) => ({ ...publicItem(item), renditions: publicRenditions(item) }),
}

/** The filter for lists of published items. */
export const isPublished = { field: { member: 'status' }, op: 'eq', value: 'published' } as const

/**
 * Members that the public may filter and sort by: visible ones that belong to the published
 * version.
 */
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
 * Errors: `not_found` for a version other than the published one. Its number is read from the
 * head's JSON, because on the published branch every version is the first.
 */
export function requirePublishedVersion(version: string | undefined, { json }: Pick<Entity, 'json'>): void {
  if (version === undefined || version === 'latest' || version === 'latestpublished') return
  const { currentVersion } = storedItem({ json })
  if (Number(version) !== currentVersion) throw noSuchItem()
}
