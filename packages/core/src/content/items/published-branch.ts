import type { ContentType } from '@quire/contract'
import {
  type Entity,
  type EntityRoles,
  type EntityVersion,
  type EntityWrite,
  type Branch,
  type Transaction,
  publishedBranchId,
  StoreConflict,
} from '../../ports/index.ts'
import { stateOf, serializeItem, contextOf } from './item-json.ts'

/**
 * The branch that shows what is published: main, with the published versions over those items whose draft is ahead. So filters, sorts
 * and words see what is published and never a draft, at no cost where nobody is drafting. No package has this id.
 */
export function publishedBranch(repositoryId: string): Branch {
  return { repositoryId, packageId: publishedBranchId }
}

/** What makes rows of a head. */
export type Derive = (head: Entity, type: ContentType) => EntityWrite

/** A head of main that was written, and how rows are made of one. */
export interface Written {
  readonly head: Entity
  readonly type: ContentType
  readonly derive: Derive
  /** Whether what is derived is to be written anew though nothing else changed. */
  readonly isRederived?: boolean
}

/** Keeps the branch of what is published in step with a head of main, in the transaction that writes it. */
export async function followPublished(
  store: Transaction,
  { head, type, derive, isRederived = false }: Written,
): Promise<void> {
  // The first version of an item was never published before.
  if (head.packageId !== null || head.revision === 1) return
  const branch = publishedBranch(head.repositoryId)
  const own = await ownHead(store, branch, head.id)
  if (!isDraftAhead(head)) {
    await requireFreeSlug(store, branch, head)
    return dropVisible(store, branch, own)
  }
  const visible = await store.entities.version({ ...branch, packageId: null }, head, head.publishedVersion)
  if (!visible) return dropVisible(store, branch, own)
  const roles = readersOf(head, visible)
  if (!isRederived && isVisibleAlready(own, head, roles)) return
  await putVisible(store, { branch, own, type, derive, visible: publishedHead({ head, visible, roles }) })
}

async function dropVisible(store: Transaction, branch: Branch, own: Entity | null): Promise<void> {
  if (own) await store.entities.purge(branch, own)
}

/**
 * Two items are not published under one slug: who gives a slug away in a draft has it until that draft is published.
 * Errors: StoreConflict `slug`.
 */
async function requireFreeSlug(store: Transaction, branch: Branch, head: Entity): Promise<void> {
  const { slug, publishedVersion, version, archived, deletedDate } = head
  if (slug === null || publishedVersion !== version || archived || deletedDate !== null) return
  const holder = await store.entities.getBySlug(branch, 'item', slug)
  if (holder && holder.id !== head.id && holder.packageId === branch.packageId)
    throw new StoreConflict('slug', slug)
}

/** The head that this branch itself holds. */
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
 * Whoever limits reading in a draft means it now; what was limited when it was published stays so. Where both are, those read it who are on
 * both lists: one who holds a role of each alone is none of them, since a branch keeps one list.
 */
function readersOf({ roles }: Entity, visible: EntityVersion): EntityRoles {
  if (roles.read.length === 0) return { ...roles, read: visible.roles.read }
  if (visible.roles.read.length === 0) return roles
  const both = roles.read.filter((role) => visible.roles.read.includes(role))
  return { ...roles, read: both.length > 0 ? both : [nobodysRole] }
}

/** No role has this id. */
const nobodysRole = 'ROLE_'

interface ToWrite {
  readonly head: Entity
  readonly visible: EntityVersion
  readonly roles: EntityRoles
}

/** The published version as a head of its branch: version 1 there, and published. What it presents has the true numbers. */
function publishedHead({ head, visible, roles }: ToWrite): Entity {
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

/** Where another item has come to use the slug meanwhile, it is that one's: this one is found by its id. */
async function putVisible(
  store: Transaction,
  { branch, own, type, derive, visible }: PublishedVersion,
): Promise<void> {
  // Its version is always the first: what that said before goes with it.
  if (own) await store.entities.purge(branch, own)
  const put = (head: Entity) => store.nested((inner) => inner.entities.put(derive(head, type), 0))
  try {
    await put(visible)
  } catch (error) {
    if (!(error instanceof StoreConflict) || error.kind !== 'slug') throw error
    await put({ ...visible, slug: null })
  }
}
