import { QuireError, type PermissionKey } from '@quire/contract'
import { holdsOneOf, mayReadBy } from '../access/permissions.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { requireHeadMatch } from '../call/head-tag.ts'
import type { Place } from '../lines/lines.ts'
import type { Entity, PresentedEntity } from '../ports/index.ts'

/** The one error for what is absent and for what the caller may not read. */
export function noSuchItem(): QuireError {
  return new QuireError('not_found', 'There is no such item that you may read.')
}

/** Whether the caller may read a head: by key, on its type, and by its read roles. */
export function mayRead(call: Call, head: PresentedEntity): boolean {
  return mayReadBy(call.identity.permissions, 'items.read', head)
}

/** The head of a live item. Errors: `not_found`, also when the caller may not read it. */
export async function findItem(call: Call, { line }: Place, id: string): Promise<Entity> {
  return readable(call, await call.store.entities.get(line, 'item', id))
}

/** A live head that the caller may read. Errors: `not_found`. */
export function readable<E extends PresentedEntity>(call: Call, head: E | null): E {
  if (!head || head.deletedDate !== null || !mayRead(call, head)) throw noSuchItem()
  return head
}

/** What an item operation needs of the item beside reading it. */
export interface Need {
  readonly key: PermissionKey
  /** Which of the item's role lists counts. */
  readonly roles: 'write' | 'delete'
}

/** Errors: `forbidden` without the key on its type or one of its roles; `precondition_failed` when If-Match names another revision. */
export function requireOnItem(call: Call, head: Entity, { key, roles }: Need): void {
  requirePermission(call, key, { repositoryId: head.repositoryId, type: head.type })
  if (!holdsOneOf(call.identity.permissions, head.roles[roles])) {
    throw new QuireError('forbidden', `Only holders of certain roles may ${roles} this item.`)
  }
  requireHeadMatch(call, head)
}
