import type { Item } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import { invalid } from '../../engine/check-input.ts'
import type { ReadContext } from './context.ts'
import { type GraphItem } from './item-interface.ts'
import { noSuchItem } from '../../content/items/find.ts'
import { itemBySlug } from '../../content/locales/by-slug.ts'

/** The item to read, by id or slug. */
interface ItemQuery {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly version?: string | null | undefined
}

/**
 * Finds an item by id or slug; null when none exists that the caller may read. Errors: `invalid`
 * without either.
 */
export async function findOne(
  readContext: ReadContext,
  { id, slug, version }: ItemQuery,
): Promise<GraphItem | null> {
  const item = await currentItem(readContext, { id, slug })
  if (!item) return null
  if (version === undefined || version === null) return { ...item, readContext }
  if (readContext.isPublic) return publishedVersion({ ...item, readContext }, version)
  return versionOf(readContext, item.id, version)
}

/** Errors: `invalid` without either. */
async function currentItem(readContext: ReadContext, { id, slug }: ItemQuery): Promise<Item | null> {
  if ((id ?? null) === null && (slug ?? null) === null)
    throw invalid([{ path: 'id', message: 'is required, unless slug is given' }])
  const known = id ?? (await idOfSlug(readContext, slug ?? ''))
  const item = known === null ? null : await readContext.items.load(known)
  dependOnItem(readContext, item?.id ?? id)
  return item
}

/**
 * Without an id: nothing that the caller may read has the slug, and any item may be published with
 * it. The tag of a draft that has it would reveal that draft.
 */
function dependOnItem({ call: { cacheTags } }: ReadContext, id: string | null | undefined): void {
  if (typeof id !== 'string') cacheTags?.list(undefined)
  else cacheTags?.item(id)
}

async function idOfSlug({ call, scope: { branch } }: ReadContext, slug: string): Promise<string | null> {
  const head = await itemBySlug(call, branch, { slug })
  return head?.id ?? null
}

/** The public sees only the published version. Errors: `not_found` for other versions. */
function publishedVersion(item: GraphItem, version: string): GraphItem {
  if (['latest', 'latestpublished', String(item.currentVersion)].includes(version)) return item
  throw noSuchItem()
}

/** Reads a version of an item. Errors: `invalid`, `not_found`. */
async function versionOf(readContext: ReadContext, id: string, version: string): Promise<GraphItem> {
  const { call, scope } = readContext
  const ref = { configId: scope.repository.id, ...(scope.package && { packageName: scope.package.name }) }
  const item = valueOf(await call.invoke('items.get', { ...ref, id, version }))
  // Without `select`, the item has all members.
  return { ...(item as GraphItem), readContext }
}
