import { permissionKeys, type PermissionKey } from '@quire/contract'
import type { Branch, Reader } from '../../ports/index.ts'
import { type Grant, parseRightsEntry, rightsEntryText } from './grants.ts'

type KeysByName = ReadonlyMap<string, ReadonlySet<PermissionKey>>

/** Keys that are held, and where. */
export interface HeldKeys {
  /** Keys held everywhere; `all` for the process itself. */
  readonly global: 'all' | ReadonlySet<PermissionKey>
  /** Keys by the text of an entry of rights. */
  readonly repos: KeysByName
  readonly sites: KeysByName
}

/** What somebody may do: the union of all grants of all their roles. */
export interface Permissions extends HeldKeys {
  /** Role ids, for the role lists of items; `all` for the process itself. */
  readonly roles: 'all' | ReadonlySet<string>
  /** What is held beside in packages, and not on main. */
  readonly inPackages: HeldKeys
  /** Repositories in which every key is held, by grants there or everywhere: no role list closes anything there. */
  readonly whole: 'all' | ReadonlySet<string>
}

/** What a permission is asked for. A `Branch` is one. */
export interface Target {
  readonly repositoryId?: string
  /** The package in which something is to be changed; null or absent: main. */
  readonly packageId?: string | null
  /** A content type's name; only together with its repository. */
  readonly type?: string
  readonly siteId?: string
}

const nothing: HeldKeys = { global: new Set(), repos: new Map(), sites: new Map() }

/** Everything: the process itself. */
export const allPermissions: Permissions = {
  ...nothing,
  roles: 'all',
  global: 'all',
  whole: 'all',
  inPackages: nothing,
}

/** Nothing: nobody. */
export const noPermissions: Permissions = {
  ...nothing,
  roles: new Set(),
  whole: new Set(),
  inPackages: nothing,
}

/** The permissions that grants add up to. */
export function permissionsOf(roleIds: Iterable<string>, grants: readonly Grant[]): Permissions {
  const held = heldBy(grants.filter(({ inPackagesOnly }) => !inPackagesOnly))
  const inPackages = heldBy(grants.filter(({ inPackagesOnly }) => inPackagesOnly))
  return { ...held, roles: new Set(roleIds), inPackages, whole: wholeOf(held.global, held.repos) }
}

function heldBy(grants: readonly Grant[]) {
  const global = new Set<PermissionKey>()
  const repos = new Map<string, Set<PermissionKey>>()
  const sites = new Map<string, Set<PermissionKey>>()
  for (const { key, scope } of grants) {
    if (scope.kind === 'global') global.add(key)
    else if (scope.kind === 'repo') keysAt(repos, rightsEntryText(scope.entry)).add(key)
    else keysAt(sites, scope.name).add(key)
  }
  return { global, repos, sites }
}

function wholeOf(
  global: ReadonlySet<PermissionKey>,
  repos: ReadonlyMap<string, ReadonlySet<PermissionKey>>,
): Permissions['whole'] {
  const missing = permissionKeys.filter((key) => !global.has(key))
  if (missing.length === 0) return 'all'
  return new Set([...repos].filter(([, keys]) => missing.every((key) => keys.has(key))).map(([name]) => name))
}

function keysAt(map: Map<string, Set<PermissionKey>>, name: string): Set<PermissionKey> {
  const existing = map.get(name)
  if (existing) return existing
  const keys = new Set<PermissionKey>()
  map.set(name, keys)
  return keys
}

/** Whether the key is held for the target: everywhere, on its repository, on its type there, or on its site. */
export function mayDo(permissions: Permissions, key: PermissionKey, target: Target = {}): boolean {
  if (isHeld(permissions, key, target)) return true
  return (target.packageId ?? null) !== null && isHeld(permissions.inPackages, key, target)
}

function isHeld({ global, repos, sites }: HeldKeys, key: PermissionKey, target: Target): boolean {
  if (global === 'all' || global.has(key)) return true
  const { repositoryId, type, siteId } = target
  if (siteId !== undefined && sites.get(siteId)?.has(key)) return true
  if (repositoryId === undefined) return false
  if (repos.get(rightsEntryText({ repositoryId }))?.has(key)) return true
  return type !== undefined && repos.get(rightsEntryText({ repositoryId, type }))?.has(key) === true
}

/** Whether all that a grant gives is held, where it gives it: what is held on main is held in packages. */
export function holdsGrant(permissions: Permissions, { key, scope, inPackagesOnly }: Grant): boolean {
  const target = targetOf(scope)
  return isHeld(permissions, key, target) || (inPackagesOnly && isHeld(permissions.inPackages, key, target))
}

function targetOf(scope: Grant['scope']): Target {
  if (scope.kind === 'global') return {}
  if (scope.kind === 'site') return { siteId: scope.name }
  const { repositoryId, type } = scope.entry
  return { repositoryId, ...(type !== null && { type }) }
}

/** Whether the key is held for anything at all: what can be refused before anything is looked up. */
export function mayDoSomewhere(permissions: Permissions, key: PermissionKey): boolean {
  return [permissions, permissions.inPackages].some((held) => {
    const named = [...held.repos.values(), ...held.sites.values()]
    return isHeld(held, key, {}) || named.some((keys) => keys.has(key))
  })
}

/** Whether the key is held on a repository, or on a type there. */
export function mayDoWithin(permissions: Permissions, key: PermissionKey, branch: Branch): boolean {
  const held = branch.packageId === null ? [permissions] : [permissions, permissions.inPackages]
  return held.some(
    (keys) => isHeld(keys, key, branch) || typesWith(keys, key, branch.repositoryId).length > 0,
  )
}

/** What of a repository's items the key reaches, as the store's read rule takes it. */
export function readerFor(permissions: Permissions, key: PermissionKey, repositoryId: string): Reader {
  const roles =
    isWhole(permissions, repositoryId) || permissions.roles === 'all' ? 'all' : [...permissions.roles]
  if (mayDo(permissions, key, { repositoryId })) return { types: 'all', roles }
  return { types: typesWith(permissions, key, repositoryId), roles }
}

function typesWith({ repos }: HeldKeys, key: PermissionKey, repositoryId: string): string[] {
  return [...repos].flatMap(([text, keys]) => {
    const entry = text.startsWith(repositoryId) && keys.has(key) ? parseRightsEntry(text) : null
    const isThere = entry?.repositoryId === repositoryId && entry.locale === null
    return isThere && entry.type !== null ? [entry.type] : []
  })
}

/** Whether every key is held on a repository: who does so always reaches every item there, whatever role lists say. */
export function isWhole({ whole }: Permissions, repositoryId: string): boolean {
  return whole === 'all' || whole.has(repositoryId)
}

/** Whether every key is held everywhere. */
export function isAdministrator({ whole }: Permissions): boolean {
  return whole === 'all'
}

/** A list of roles of something in a repository. */
export interface RoleList {
  readonly repositoryId: string
  readonly roles: readonly string[]
}

/** Whether a list of roles (empty: no limit) lets one through: who has one of them, and who holds every key there. */
export function letsThrough(permissions: Permissions, { repositoryId, roles }: RoleList): boolean {
  if (roles.length === 0 || permissions.roles === 'all' || isWhole(permissions, repositoryId)) return true
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
  return (
    mayDo(permissions, key, { repositoryId, type }) &&
    letsThrough(permissions, { repositoryId, roles: roles.read })
  )
}
