import type { PermissionKey } from '@quire/contract'
import type { Reader } from '../ports/index.ts'
import type { Grant } from './grants.ts'

/** What somebody may do: the union of all grants of all their roles. */
export interface Permissions {
  /** Role ids, for the role lists of items; `all` for the process itself. */
  readonly roles: 'all' | ReadonlySet<string>
  /** Keys held everywhere; `all` for the process itself. */
  readonly global: 'all' | ReadonlySet<PermissionKey>
  /** Keys by `<repositoryId>` or `<repositoryId>:<typeName>`. */
  readonly repos: ReadonlyMap<string, ReadonlySet<PermissionKey>>
  readonly sites: ReadonlyMap<string, ReadonlySet<PermissionKey>>
}

/** What a permission is asked for. */
export interface Target {
  readonly repositoryId?: string
  /** A content type's name; only together with its repository. */
  readonly type?: string
  readonly siteId?: string
}

/** Everything: the process itself. */
export const allPermissions: Permissions = { roles: 'all', global: 'all', repos: new Map(), sites: new Map() }

/** Nothing: nobody. */
export const noPermissions: Permissions = {
  roles: new Set(),
  global: new Set(),
  repos: new Map(),
  sites: new Map(),
}

/** The permissions that grants add up to. */
export function permissionsOf(roleIds: Iterable<string>, grants: readonly Grant[]): Permissions {
  const global = new Set<PermissionKey>()
  const repos = new Map<string, Set<PermissionKey>>()
  const sites = new Map<string, Set<PermissionKey>>()
  for (const { key, scope } of grants) {
    if (scope.kind === 'global') global.add(key)
    else keysAt(scope.kind === 'repo' ? repos : sites, scope.name).add(key)
  }
  return { roles: new Set(roleIds), global, repos, sites }
}

function keysAt(map: Map<string, Set<PermissionKey>>, name: string): Set<PermissionKey> {
  const present = map.get(name)
  if (present) return present
  const keys = new Set<PermissionKey>()
  map.set(name, keys)
  return keys
}

/** Whether the key is held for the target: everywhere, on its repository, on its type there, or on its site. */
export function mayDo(permissions: Permissions, key: PermissionKey, target: Target = {}): boolean {
  if (permissions.global === 'all' || permissions.global.has(key)) return true
  const { repositoryId, type, siteId } = target
  if (siteId !== undefined && permissions.sites.get(siteId)?.has(key)) return true
  if (repositoryId === undefined) return false
  if (permissions.repos.get(repositoryId)?.has(key)) return true
  return type !== undefined && permissions.repos.get(`${repositoryId}:${type}`)?.has(key) === true
}

/** Whether the key is held for anything at all: what can be refused before anything is looked up. */
export function mayDoSomewhere(permissions: Permissions, key: PermissionKey): boolean {
  if (mayDo(permissions, key)) return true
  const holds = (keys: ReadonlySet<PermissionKey>) => keys.has(key)
  return [...permissions.repos.values()].some(holds) || [...permissions.sites.values()].some(holds)
}

/** What of a repository's items the key reaches, as the store's read rule takes it. */
export function readerFor(permissions: Permissions, key: PermissionKey, repositoryId: string): Reader {
  const roles = permissions.roles === 'all' ? 'all' : [...permissions.roles]
  if (mayDo(permissions, key, { repositoryId })) return { types: 'all', roles }
  const prefix = `${repositoryId}:`
  const types = [...permissions.repos]
    .filter(([name, keys]) => name.startsWith(prefix) && keys.has(key))
    .map(([name]) => name.slice(prefix.length))
  return { types, roles }
}

/** Whether a list of roles (empty: no limit) lets one through. */
export function holdsOneOf(permissions: Permissions, roles: readonly string[]): boolean {
  if (roles.length === 0 || permissions.roles === 'all') return true
  const held = permissions.roles
  return roles.some((role) => held.has(role))
}

/** What decides who may read an entity. */
export interface Readable {
  readonly repositoryId: string
  readonly type: string
  readonly roles: { readonly read: readonly string[] }
}

/** Whether one may read an entity: by the key, on its type, and by its read roles. */
export function mayReadBy(permissions: Permissions, key: PermissionKey, readable: Readable): boolean {
  const { repositoryId, type, roles } = readable
  return mayDo(permissions, key, { repositoryId, type }) && holdsOneOf(permissions, roles.read)
}
