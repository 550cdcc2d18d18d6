import { QuireError, type PermissionKey } from '@quire/contract'
import { letsThrough, mayReadBy } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { requireHeadMatch } from '../../engine/head-tag.ts'
import type { Scope } from '../../engine/scope.ts'
import type { Entity, Branch, StoredJson, Snapshot } from '../../ports/index.ts'

/** The one error for what is absent and for what the caller may not read. */
export function noSuchItem(): QuireError {
  return new QuireError('not_found', 'There is no such item that you may read.')
}

/** Whether the caller may read a head: by key, on its type, and by its read roles. */
export function mayRead(call: Call, head: StoredJson): boolean {
  return mayReadBy(call.identity.permissions, 'items.read', head)
}

/** Whether the caller may read what an old version of a readable item held: by that version's own read roles. */
export function mayReadVersion(call: Call, { repositoryId }: Entity, { roles }: Snapshot): boolean {
  return letsThrough(call.identity.permissions, { repositoryId, roles: roles.read })
}

/** The head of a live item. Errors: `not_found`, also when the caller may not read it. */
export async function findItem(call: Call, { branch }: Scope, id: string): Promise<Entity> {
  return readable(call, await call.store.entities.get(branch, 'item', id))
}

/** A live head that the caller may read. Errors: `not_found`. */
export function readable<E extends StoredJson>(call: Call, head: E | null): E {
  if (!head || head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  return head
}

/** What an item operation needs of the item beside reading it. */
export interface Need {
  readonly key: PermissionKey
  /** Where it is changed: a package shows what main has, too. */
  readonly branch: Branch
  /** Which of the item's role lists counts. */
  readonly roles: 'write' | 'delete'
}

/** Errors: `forbidden` without the key on its type or one of its roles; `precondition_failed` when If-Match names another revision. */
export function requireOnItem(call: Call, head: Entity, { key, branch, roles }: Need): void {
  const { repositoryId, type } = head
  requirePermission(call, key, { ...branch, type })
  if (!letsThrough(call.identity.permissions, { repositoryId, roles: head.roles[roles] })) {
    throw new QuireError('forbidden', `Only holders of certain roles may ${roles} this item.`)
  }
  requireHeadMatch(call, head)
}
