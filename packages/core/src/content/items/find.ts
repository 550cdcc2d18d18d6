import { QuireError, type PermissionKey } from '@quire/contract'
import { letsThrough, mayReadBy } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/if-match.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Branch, StoredJson, Snapshot } from '../../ports/index.ts'

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

/** What an operation requires to change an item, in addition to reading it. */
export interface ItemRequirement {
  readonly key: PermissionKey
  /** The branch on which it is changed. The head itself may be main's, shown in a package. */
  readonly branch: Branch
  /** Which role list of the item applies. */
  readonly roles: 'write' | 'delete'
}

/**
 * Errors: `forbidden` without the key for its type or without one of its roles;
 * `precondition_failed` if If-Match names another revision.
 */
export function requireOnItem(call: Call, head: Entity, { key, branch, roles }: ItemRequirement): void {
  const { repositoryId, type } = head
  requirePermission(call, key, { ...branch, type })
  if (!letsThrough(call.identity.permissions, { repositoryId, roles: head.roles[roles] })) {
    throw new QuireError('forbidden', `Only callers with certain roles may ${roles} this item.`)
  }
  requireHeadMatch(call, head)
}
