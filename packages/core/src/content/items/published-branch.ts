import type { ContentType } from '@quire/contract'
import {
  type Entity,
  type EntityRoles,
  type EntityVersion,
  type EntityWrite,
  type Branch,
  type PublishedBranch,
  type Transaction,
  publishedBranchId,
  StoreConflict,
} from '../../ports/index.ts'
import { tagsOfItem } from '../../engine/cache-tags/purge-rules.ts'
import type { WriteCall } from '../../engine/call.ts'
import { inCurrentForm } from '../locales/form.ts'
import { stateOf, serializeItem, contextOf } from './item-json.ts'

/**
 * The branch that shows published content: main, overlaid with the published version of each item
 * that has a newer draft. So filters, sorts and text search see only published content, and items
 * without a newer draft cost nothing.
 */
export function publishedBranch(repositoryId: string): PublishedBranch {
  return { repositoryId, packageId: publishedBranchId }
}

/** Makes the rows that are derived from a head. */
export type Derive = (head: Entity, type: ContentType) => EntityWrite

/** A head that was written, and how to derive its rows. */
export interface WrittenHead {
  /** The head before; null for a new item. */
  readonly before: Entity | null
  readonly head: Entity
  readonly type: ContentType
  readonly derive: Derive
  /** Whether to write the derived rows again even if nothing else changed. Default: no. */
  readonly isRederived?: boolean
}

/**
 * Updates the published branch after a head of main was written, in the same transaction, and purges
 * the cache tags of what the public sees differently. Does nothing for heads in packages. Errors:
 * StoreConflict `slug` if another published item has the slug.
 */
export async function updatePublishedBranch(call: WriteCall, written: WrittenHead): Promise<void> {
  const { before, head } = written
  if (head.packageId !== null) return
  // A new item has nothing on the published branch yet, and neither has one that is not published.
  const isNew = head.revision === 1
  const isThere = !isNew && before?.publishedVersion !== null
  const own = isThere ? await ownHead(call.store, publishedBranch(head.repositoryId), head.id) : null
  const readers = isNew ? head.roles.read : await writePublished(call.store, { ...written, own })
  const stateBefore = before && { item: before, readers: (own ?? before).roles.read }
  call.purgeTags(head.repositoryId, tagsOfItem(stateBefore, { item: head, readers }))
}

/** Returns the roles that limit who may read the published version. Errors: StoreConflict `slug`. */
async function writePublished(
  store: Transaction,
  { head, own, type, derive, isRederived = false }: WrittenHead & { readonly own: Entity | null },
): Promise<readonly string[]> {
  const branch = publishedBranch(head.repositoryId)
  if (!isDraftAhead(head)) {
    await requireFreeSlug(store, branch, head)
    await dropVisible(store, branch, own)
    return head.roles.read
  }
  const version = await store.entities.version({ ...branch, packageId: null }, head, head.publishedVersion)
  if (!version) {
    await dropVisible(store, branch, own)
    return [nobodysRole]
  }
  const visible = inCurrentForm(type, version)
  const roles = readersOf(head, visible)
  if (isRederived || !isVisibleAlready(own, head, roles))
    await putVisible(store, { branch, own, type, derive, visible: publishedHead({ head, visible, roles }) })
  return roles.read
}

async function dropVisible(store: Transaction, branch: Branch, own: Entity | null): Promise<void> {
  if (own) await store.entities.purge(branch, own)
}

/**
 * Two items cannot be published under the same slug: an item that changes its slug in a draft keeps
 * the old one until that draft is published. Errors: StoreConflict `slug`.
 */
async function requireFreeSlug(store: Transaction, branch: Branch, head: Entity): Promise<void> {
  const { slug, publishedVersion, version, archived, deletedDate } = head
  if (slug === null || publishedVersion !== version || archived || deletedDate !== null) return
  const holder = await store.entities.getBySlug(branch, 'item', slug)
  if (holder && holder.id !== head.id && holder.packageId === branch.packageId)
    throw new StoreConflict('slug', slug)
}

/** The head that is stored on this branch itself, not inherited from main. */
async function ownHead(store: Transaction, branch: Branch, id: string): Promise<Entity | null> {
  const head = await store.entities.get(branch, 'item', id)
  return head?.packageId === branch.packageId ? head : null
}

function isVisibleAlready(own: Entity | null, { publishedDate }: Entity, { read }: EntityRoles): boolean {
  return own?.publishedDate === publishedDate && own.roles.read.join() === read.join()
}

function isDraftAhead(head: Entity): head is Entity & { publishedVersion: number } {
  const { publishedVersion, version, archived, deletedDate } = head
  return publishedVersion !== null && publishedVersion !== version && !archived && deletedDate === null
}

/**
 * The role lists of a published version. A `readPerm` set in a draft applies at once, and one that
 * was set on publishing still applies. If there are both, only the roles on both lists may read:
 * because a branch stores one list, holding a different role on each of them is not enough.
 */
function readersOf({ roles }: Entity, visible: EntityVersion): EntityRoles {
  if (roles.read.length === 0) return { ...roles, read: visible.roles.read }
  if (visible.roles.read.length === 0) return roles
  const both = roles.read.filter((role) => visible.roles.read.includes(role))
  return { ...roles, read: both.length > 0 ? both : [nobodysRole] }
}

/** An id that no role has. */
const nobodysRole = 'ROLE_'

interface PublishedSource {
  readonly head: Entity
  readonly visible: EntityVersion
  readonly roles: EntityRoles
}

/**
 * The published version as a head of the published branch, where it is always version 1 and
 * published. Its JSON has the real version numbers.
 */
function publishedHead({ head, visible, roles }: PublishedSource): Entity {
  const { packageId } = publishedBranch(head.repositoryId)
  const item = serializeItem(head, visible, { state: stateOf(head), context: contextOf(head) })
  const { type, name, slug, parentId, body, savedDate, savedBy } = visible
  return {
    ...head,
    type,
    name,
    slug,
    parentId,
    body,
    roles,
    packageId,
    version: 1,
    revision: 1,
    base: null,
    publishedVersion: 1,
    inheritsPublished: false,
    updatedDate: savedDate,
    updatedBy: savedBy,
    json: JSON.stringify(item),
  }
}

interface PublishedVersion {
  readonly branch: Branch
  readonly own: Entity | null
  readonly type: ContentType
  readonly derive: Derive
  readonly visible: Entity
}

/**
 * Writes the published version. If another item now uses its slug, it is stored without a slug and
 * found only by id.
 */
async function putVisible(
  store: Transaction,
  { branch, own, type, derive, visible }: PublishedVersion,
): Promise<void> {
  // The version is always 1, so the previous content has to be removed first.
  if (own) await store.entities.purge(branch, own)
  const put = (head: Entity) => store.nested((inner) => inner.entities.put(derive(head, type), 0))
  try {
    await put(visible)
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.kind !== 'slug') throw error
    await put({ ...visible, slug: null })
  }
}
