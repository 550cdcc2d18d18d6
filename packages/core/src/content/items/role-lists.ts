import { QuireError } from '@quire/contract'
import { letsThrough, type RoleList } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity } from '../../ports/index.ts'
import type { ItemContent } from './content.ts'

/** What a save makes of the role lists of an item. */
export interface ListChange {
  readonly repositoryId: string
  /** What the item, or the one that it is copied from, had before; null for a new one. */
  readonly before: ItemContent | null
  readonly after: ItemContent
}

/** The members of an item that are role lists. */
export const roleLists = ['readPerm', 'writePerm', 'deletePerm'] as const

/**
 * Only who is let through by a role list may change it, and only to one that lets them through as well: nobody takes an item away from
 * those who reach it, to where they do not reach it themselves. Errors: `forbidden` naming the list.
 */
export function requireOwnLists(call: Call, { repositoryId, before, after }: ListChange): void {
  const { permissions } = call.identity
  for (const list of roleLists) {
    const [old, next] = [before?.[list] ?? [], after[list]]
    if (isSame([...old].toSorted(), [...next].toSorted())) continue
    if (!letsThrough(permissions, { repositoryId, roles: old }))
      throw new QuireError(
        'forbidden',
        'Only holders of its roles may change who may do what with this item.',
      )
    requireNamed(call, list, { repositoryId, roles: next })
  }
}

/** Nobody names roles in a list that would not let them through. Errors: `forbidden` naming the list. */
export function requireNamed(call: Call, list: (typeof roleLists)[number], named: RoleList): void {
  if (letsThrough(call.identity.permissions, named)) return
  throw new QuireError('forbidden', `${list}: you must hold one of the roles that you name.`)
}

/** Whether somebody who was let through by the first list may not be by the second. */
export function closes(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false
  return before.length === 0 || before.some((role) => !after.includes(role))
}

/** To close what is published to some of its readers is to take it back from them. Errors: `forbidden` with the key that unpublishes. */
export function requireClosing(call: Call, head: Entity, { before, after }: ListChange): void {
  if (head.packageId !== null || head.publishedVersion === null || head.archived) return
  if (!closes(before?.readPerm ?? [], after.readPerm)) return
  requirePermission(call, 'items.publish', { repositoryId: head.repositoryId, type: head.type })
}
