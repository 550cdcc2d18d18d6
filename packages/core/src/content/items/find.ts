import { QuireError, type Item, type KeyPermission, type PermissionKey } from '@quire/contract'
import type { Serialized } from '../../engine/answer.ts'
import { mayDo, mayDoInPart, mayDoWithin } from '../../engine/access/permissions.ts'
import { letsThrough, mayReadBy } from '../../engine/access/role-lists.ts'
import { notPermitted, requirePermission, type Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import { findScope, type Scope, type ScopeRef } from '../../engine/scope.ts'
import { assetIn } from './asset.ts'
import type { Entity, Branch, StoredJson, Snapshot } from '../../ports/index.ts'
import { readBySlug, type ReadBySlug } from './serialize.ts'

/**
 * The error for an absent item. The same error is used if the caller may not read it, so that it
 * does not reveal that the item exists.
 */
export function noSuchItem(): QuireError {
  return new QuireError('not_found', 'The item does not exist, or you may not read it.')
}

/**
 * Whether the caller may read a head: they hold `items.read` for its type and pass its `readPerm`.
 */
export function mayRead(call: Call, head: StoredJson): boolean {
  return mayReadBy(call.identity.permissions, 'items.read', head)
}

/**
 * Whether the caller may read an old version of a readable item: they pass that version's own
 * `readPerm`.
 */
export function mayReadVersion(call: Call, { repositoryId }: Entity, { roles }: Snapshot): boolean {
  return letsThrough(call.identity.permissions, { repositoryId, roles: roles.read })
}

/**
 * Finds the head of an item that is not deleted. Errors: `not_found`, also if the caller may not
 * read it.
 */
export async function findItem(call: Call, { branch }: Scope, id: string): Promise<Entity> {
  return requireReadable(call, await call.store.entities.get(branch, 'item', id))
}

/**
 * Requires a head that exists, is not deleted and that the caller may read. Errors: `not_found`.
 */
export function requireReadable<E extends StoredJson>(call: Call, head: E | null): E {
  if (!head || head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  return head
}

/** An item that an operation is about, with the scope in which the caller named it. */
export interface ItemTarget<E extends StoredJson = Entity> {
  readonly scope: Scope
  /** Its head on the branch; the head may be main's, shown in a package. */
  readonly item: E
  /** What is read of it, if it is named by its slug and that is known: the head may have no JSON then. */
  readonly read?: Serialized<Item>
}

/** The scope in which an operation creates an item of a type that the caller named. */
export interface TypeTarget {
  readonly scope: Scope
}

/** How an input names an item: by one of its ids, or by its slug. */
export interface ItemRef extends ScopeRef {
  readonly itemId?: string
  readonly assetId?: string
  readonly id?: string
  readonly slug?: string
  /** A time (Unix ms). A read may ask for an item as it was before it was deleted. */
  readonly at?: number
}

/**
 * Finds the item that an input names, for a caller who may do with it what the permission says: its
 * head, or without its content if it is named by its slug.
 * Errors: `not_found`, `forbidden`; `precondition_failed` if a change names another revision.
 */
export async function findItemTarget(
  call: Call,
  ref: ItemRef,
  { to, ...permission }: KeyPermission,
): Promise<ItemTarget<StoredJson>> {
  const scope = await findScope(call, ref)
  const { item: head, ...known } = await headNamed(call, scope, ref)
  const isPast = to === undefined && ref.at !== undefined && ref.at < call.now
  const item = to === 'undelete' || isPast ? requireVisible(call, head) : requireReadable(call, head)
  if (to !== undefined && to !== 'copy')
    requireOnItem(call, item, { ...permission, branch: scope.branch, to })
  else if (permission.key !== 'items.read') requirePermission(call, permission.key, item)
  return { scope, item, ...known }
}

/**
 * Errors: `forbidden` for a caller who may not create items of the type on a branch; without a type,
 * which may follow from a file, for one who may create none at all.
 */
export function requireMayCreate(
  { identity: { permissions } }: Call,
  branch: Branch,
  type: string | undefined,
): void {
  const may =
    type === undefined
      ? mayDoWithin(permissions, 'items.create', branch)
      : mayDo(permissions, 'items.create', { ...branch, type })
  if (!may) throw notPermitted(['items.create'])
}

/**
 * The scope of a copy of an item, for a caller who may create it there: the one of the original, or
 * the main branch of the repository that the input names. Errors: `not_found`, `forbidden`.
 */
export async function findCopyScope(
  call: Call,
  { repositoryId }: { readonly repositoryId?: string | undefined },
  { scope: from, item }: ItemTarget,
): Promise<Scope> {
  const to = repositoryId === undefined ? from : await findScope(call, { configId: repositoryId })
  requirePermission(call, 'items.create', { ...to.branch, type: item.type })
  if (assetIn(item.body))
    requirePermission(call, 'assets.download', { repositoryId: from.repository.id, type: item.type })
  return to
}

async function headNamed(call: Call, { branch }: Scope, ref: ItemRef): Promise<ReadBySlug> {
  const id = ref.itemId ?? ref.assetId ?? ref.id
  if (id === undefined) return readBySlug(call, branch, ref.slug ?? '')
  return { item: await call.store.entities.get(branch, 'item', id) }
}

/** Errors: `not_found` if there is no such item, deleted or not, that the caller may read. */
function requireVisible(call: Call, head: StoredJson | null): StoredJson {
  if (!head || !mayRead(call, head)) throw noSuchItem()
  return head
}

/**
 * What an operation requires to change an item, in addition to reading it. With `byLocale` the key may
 * also be held in some locale only, of the repository whose scope the call has found.
 */
export interface ItemRequirement extends Pick<KeyPermission, 'key' | 'byLocale'> {
  /** The branch on which it is changed. The head itself may be main's, shown in a package. */
  readonly branch: Branch
  /** Decides which role list of the item applies. */
  readonly to: NonNullable<KeyPermission['to']>
}

/**
 * Errors: `forbidden` without the key for its type or without one of its roles;
 * `precondition_failed` if If-Match names another revision.
 */
export function requireOnItem(call: Call, head: StoredJson, requirement: ItemRequirement): void {
  const { key, byLocale, branch, to } = requirement
  const { repositoryId, type } = head
  const target = { ...branch, type, locales: byLocale && call.locales.get(repositoryId) }
  const isHeld = (one: PermissionKey) => mayDoInPart(call.identity.permissions, one, target)
  const keys = typeof key === 'string' ? [key] : key
  if (!keys.some(isHeld)) throw notPermitted(keys)
  const list = to === 'change' ? 'write' : 'delete'
  if (!letsThrough(call.identity.permissions, { repositoryId, roles: head.roles[list] })) {
    throw new QuireError('forbidden', `Only callers with certain roles may ${list} this item.`)
  }
  requireHeadMatch(call, head)
}
