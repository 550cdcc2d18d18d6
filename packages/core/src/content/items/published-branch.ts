import type { ContentType } from '@quire/contract'
import {
  type Entity,
  type EntityRoles,
  type EntityVersion,
  type EntityWrite,
  type Branch,
  type LocalePublication,
  type PublishedBranch,
  type Transaction,
  publishedBranchId,
  StoreConflict,
} from '../../ports/index.ts'
import { tagsOfItem } from '../../engine/cache-tags/purge-rules.ts'
import type { WriteCall } from '../../engine/call.ts'
import { localeView } from '../../engine/locales.ts'
import { isHeadPublished } from '../../adapters/published.ts'
import { headVersion } from '../kinds/heads.ts'
import { definitionOf } from '../locales/fields.ts'
import { inCurrentForm } from '../locales/form.ts'
import { publicationsIn, publishedBranch } from './publications.ts'
import { stateOf, serializeItem, contextOf, storedItem } from './item-json.ts'

/** Removes what a branch that is no published one any more holds of an item. */
export async function leavePublishedBranch(
  store: Transaction,
  branch: PublishedBranch,
  id: string,
): Promise<void> {
  await dropVisible(store, branch, await ownHead(store, branch, id))
}

/** What a head shows on one of the published branches. */
interface BranchPublication {
  readonly branch: Branch
  /** The locale that it shows, and its fallbacks; absent in a repository without locales. */
  readonly chain?: readonly string[]
  /** What is public there; null if nothing is. */
  readonly publication: LocalePublication | null
}

/** What a head of main shows on each published branch of its repository. */
function publicationsOf(head: Entity, type: ContentType): BranchPublication[] {
  const { repositoryId, publishedVersion: version, publishedDate } = head
  const { locales } = definitionOf(type) ?? {}
  if (!locales) {
    const publication = version === null ? null : { version, date: publishedDate ?? 0 }
    return [{ branch: { repositoryId, packageId: publishedBranchId }, publication }]
  }
  const repository = { id: repositoryId, settings: { locales } }
  const publications = publicationsIn(head, locales)
  return locales.list.map(({ code }) => ({
    branch: publishedBranch(repository, code),
    chain: localeView(locales, { code }).chain,
    publication: publications[code] ?? null,
  }))
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
  const { before, head, type } = written
  if (head.packageId !== null) return
  // A new item has nothing on the published branches yet, and neither has one that is not published.
  // Main's head is enough there, unless it is public in some locales only.
  const isNew = head.revision === 1 && !head.publications
  const isThere = !isNew && before?.publishedVersion !== null
  const readers: Readers[] = []
  for (const onBranch of publicationsOf(head, type)) {
    const own = isThere ? await ownHead(call.store, onBranch.branch, head.id) : null
    readers.push({
      before: (own ?? before)?.roles.read ?? [],
      after: isNew ? head.roles.read : await writePublished(call.store, { ...written, ...onBranch, own }),
    })
  }
  const stateBefore = before && { item: before, readers: fewest(readers.map((one) => one.before)) }
  const stateAfter = { item: head, readers: fewest(readers.map((one) => one.after)) }
  call.purgeTags(head.repositoryId, tagsOfItem(stateBefore, stateAfter))
}

/** The roles that limit who may read what is public on one branch, before and after a write. */
interface Readers {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** The roles that limit the least: the public may see one locale and not another. */
function fewest(lists: readonly (readonly string[])[]): readonly string[] {
  return lists.find((roles) => roles.length === 0) ?? lists[0] ?? []
}

interface BranchWrite extends WrittenHead, BranchPublication {
  readonly own: Entity | null
}

/** Returns the roles that limit who may read the published version. Errors: StoreConflict `slug`. */
async function writePublished(
  store: Transaction,
  { head, branch, chain, publication, own, type, derive, isRederived = false }: BranchWrite,
): Promise<readonly string[]> {
  if (publication === null || isInvisible(head) || isMainVisible(head, publication)) {
    if (publication !== null) await requireFreeSlug(store, branch, head)
    await dropVisible(store, branch, own)
    if (publication === null && isVisibleOnMain(head)) await hideHead(store, { branch, head, type, derive })
    return head.roles.read
  }
  const version =
    publication.version === head.version
      ? headVersion(head)
      : await store.entities.version({ ...branch, packageId: null }, head, publication.version)
  if (!version) {
    await dropVisible(store, branch, own)
    return [nobodysRole]
  }
  const visible = inCurrentForm(type, version, chain)
  const roles = readersOf(head, visible)
  if (isRederived || !isVisibleAlready(own, publication, roles)) {
    const publishedItem = publishedHead({ head, visible, roles, branch, date: publication.date })
    await putVisible(store, { branch, own, type, derive, visible: publishedItem })
  }
  return roles.read
}

function isInvisible({ archived, deletedDate }: Entity): boolean {
  return archived || deletedDate !== null
}

/** Whether lists of what is published have main's head. */
function isVisibleOnMain(head: Entity): boolean {
  return !isInvisible(head) && isHeadPublished(head)
}

/** Whether the branch shows main's head itself: it is public everywhere where anything is, as of the same time. */
function isMainVisible(head: Entity, publication: LocalePublication): boolean {
  const { publications = {}, publishedDate } = head
  return (
    publication.version === head.version &&
    isHeadPublished(head) &&
    Object.values(publications).every(({ date }) => date === publishedDate)
  )
}

// Unix ms. Deleted heads are purged some days after their date, and then main's would be visible.
const endOfTime = 8_640_000_000_000_000

/** Hides main's head on a branch, where nothing of the item is public. */
async function hideHead(
  store: Transaction,
  { branch, head, type, derive }: Pick<BranchWrite, 'branch' | 'head' | 'type' | 'derive'>,
): Promise<void> {
  const { packageId } = branch
  const hidden = { ...head, packageId, version: 1, revision: 1, base: null, publications: undefined }
  const state = { publishedVersion: null, publishedDate: null, deletedDate: endOfTime, json: '' }
  await store.entities.put(
    { ...derive({ ...hidden, ...state }, type), values: [], edges: [], search: null },
    0,
  )
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
  const holder = await store.entities.getBySlug(branch, { kind: 'item', slug })
  if (holder && holder.id !== head.id && holder.packageId === branch.packageId)
    throw new StoreConflict('slug', slug)
}

/** The head that is stored on this branch itself, not inherited from main. */
async function ownHead(store: Transaction, branch: Branch, id: string): Promise<Entity | null> {
  const head = await store.entities.get(branch, 'item', id)
  return head?.packageId === branch.packageId ? head : null
}

function isVisibleAlready(
  own: Entity | null,
  { version, date }: LocalePublication,
  { read }: EntityRoles,
): boolean {
  if (own === null || own.deletedDate !== null) return false
  const isSameVersion = own.publishedDate === date && storedItem(own).currentVersion === version
  return isSameVersion && own.roles.read.join() === read.join()
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
  readonly branch: Branch
  /** Unix ms at which it was published. */
  readonly date: number
}

/**
 * The published version as a head of the published branch, where it is always version 1 and
 * published. Its JSON has the real version numbers.
 */
function publishedHead({ head, visible, roles, branch: { packageId }, date }: PublishedSource): Entity {
  const { version } = visible
  const { publications: _, ...now } = stateOf(head)
  const state = { ...now, publishedVersion: version, publishedDate: date }
  const item = serializeItem(head, visible, { state, context: contextOf(head) })
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
    publishedDate: date,
    publications: undefined,
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
