import type { PermissionKey } from '@quire/contract'
import { isWhole, mayDo, type Permissions } from './permissions.ts'

/** A role list of something in a repository. */
export interface RoleList {
  readonly repositoryId: string
  readonly roles: readonly string[]
}

/**
 * Whether a role list (empty: no limit) admits the caller: someone who has one of its roles, or who
 * holds every key in the repository.
 */
export function letsThrough(permissions: Permissions, { repositoryId, roles }: RoleList): boolean {
  if (roles.length === 0 || permissions.roles === 'all' || isWhole(permissions, repositoryId)) return true
  const held = permissions.roles
  return roles.some((role) => held.has(role))
}

/** The members of an entity that decide who may read it. */
export interface Readable {
  readonly repositoryId: string
  readonly type: string
  readonly roles: { readonly read: readonly string[] }
  /** In a package, the read roles of main's head, which apply as well. */
  readonly mainReaders?: readonly string[] | undefined
}

/** Whether the caller may read an entity: by the key, on its type, and by its read roles. */
export function mayReadBy(permissions: Permissions, key: PermissionKey, readable: Readable): boolean {
  const { repositoryId, type } = readable
  return mayDo(permissions, key, { repositoryId, type }) && isReader(permissions, readable)
}

/** Whether the read roles of an entity, and in a package those of main's, admit the caller. */
export function isReader(permissions: Permissions, readable: Omit<Readable, 'type'>): boolean {
  const { repositoryId, roles, mainReaders = [] } = readable
  return [roles.read, mainReaders].every((list) => letsThrough(permissions, { repositoryId, roles: list }))
}
