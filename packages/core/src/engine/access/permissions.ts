import {
  permissionKeys,
  permissionKeysOf,
  type KeyPermission,
  type Locales,
  type PermissionKey,
} from '@quire/contract'
import type { Branch, Reader } from '../../ports/index.ts'
import { branchReachOf, type Grant, parseRightsEntry, rightsEntryText } from './grants.ts'

type KeysByName = ReadonlyMap<string, ReadonlySet<PermissionKey>>

/** Keys that are held, by where they apply. */
export interface HeldKeys {
  /** Keys held everywhere; `all` for the process itself. */
  readonly global: 'all' | ReadonlySet<PermissionKey>
  /** Keys by the text of their entry of rights. */
  readonly repos: KeysByName
  readonly sites: KeysByName
  /**
   * Keys that are held in one locale alone, by its code and by the text of their entry without it.
   * Apart from the others, so that no check that does not ask for a locale can meet them.
   */
  readonly inLocales: ReadonlyMap<string, KeysByName>
}

/** What a caller may do: the union of all grants of all their roles. */
export interface Permissions extends HeldKeys {
  /** Role ids, for the role lists of items; `all` for the process itself. */
  readonly roles: 'all' | ReadonlySet<string>
  /** Keys that are held in packages in addition, but not on main. */
  readonly inPackages: HeldKeys
  /**
   * Repositories in which every key is held, by grants there or everywhere: role lists do not
   * restrict anything in them.
   */
  readonly whole: 'all' | ReadonlySet<string>
}

/** What a permission is checked on. A `Branch` is also a target. */
export interface Target {
  readonly repositoryId?: string
  /** The package to be changed; null or absent: main. */
  readonly packageId?: string | null
  /** The name of a content type; only together with its repository. */
  readonly type?: string
  readonly siteId?: string
}

const nothing: HeldKeys = { global: new Set(), repos: new Map(), sites: new Map(), inLocales: new Map() }

/** All permissions: those of the process itself. */
export const allPermissions: Permissions = {
  ...nothing,
  roles: 'all',
  global: 'all',
  whole: 'all',
  inPackages: nothing,
}

/** No permissions: those of an anonymous caller. */
export const noPermissions: Permissions = {
  ...nothing,
  roles: new Set(),
  whole: new Set(),
  inPackages: nothing,
}

/** The permissions that result from grants. */
export function permissionsOf(roleIds: Iterable<string>, grants: readonly Grant[]): Permissions {
  const held = heldBy(grants.filter(({ inPackagesOnly }) => !inPackagesOnly))
  const inPackages = heldBy(grants.filter(({ inPackagesOnly }) => inPackagesOnly))
  return { ...held, roles: new Set(roleIds), inPackages, whole: wholeOf(held.global, held.repos) }
}

function heldBy(grants: readonly Grant[]) {
  const global = new Set<PermissionKey>()
  const repos = new Map<string, Set<PermissionKey>>()
  const sites = new Map<string, Set<PermissionKey>>()
  const inLocales = new Map<string, Map<string, Set<PermissionKey>>>()
  for (const { key, scope } of grants) {
    if (scope.kind === 'global') global.add(key)
    else if (scope.kind === 'site') keysAt(sites, scope.name).add(key)
    else {
      const { locale, ...entry } = scope.entry
      const named = locale === null ? repos : (inLocales.get(locale) ?? new Map<string, Set<PermissionKey>>())
      if (locale !== null) inLocales.set(locale, named)
      keysAt(named, rightsEntryText(entry)).add(key)
    }
  }
  return { global, repos, sites, inLocales }
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

/**
 * Whether the key is held for the target: everywhere, on its repository, on its type in the
 * repository, or on its site.
 */
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

/** What a permission is checked on in one locale. */
export interface LocaleTarget extends Target {
  readonly locale: string
}

/** Whether the key is held for the target in a locale: in all of them, or in this one. */
export function mayDoInLocale(permissions: Permissions, key: PermissionKey, target: LocaleTarget): boolean {
  if (mayDo(permissions, key, target) || isHeldInLocale(permissions, key, target)) return true
  return (target.packageId ?? null) !== null && isHeldInLocale(permissions.inPackages, key, target)
}

function isHeldInLocale({ inLocales }: HeldKeys, key: PermissionKey, target: LocaleTarget): boolean {
  const repos = inLocales.get(target.locale)
  return repos !== undefined && isHeld({ ...nothing, repos }, key, target)
}

/** What a permission is checked on in the locales of its repository; null or absent: it has none. */
export interface LocalesTarget extends Target {
  readonly locales: Locales | null | undefined
}

/** The locales in which the key is held for the target; `all`: without a limit to locales. */
export function heldLocales(
  permissions: Permissions,
  key: PermissionKey,
  { locales, ...target }: LocalesTarget,
): 'all' | readonly string[] {
  if (mayDo(permissions, key, target)) return 'all'
  const codes = locales?.list.map(({ code }) => code) ?? []
  return codes.filter((locale) => mayDoInLocale(permissions, key, { ...target, locale }))
}

/** Whether the key is held for the target without a limit to locales, or in one of them. */
export function mayDoInPart(permissions: Permissions, key: PermissionKey, target: LocalesTarget): boolean {
  const held = heldLocales(permissions, key, target)
  return held === 'all' || held.length > 0
}

/**
 * Whether everything that a grant gives is held where the grant applies. Keys held on main are also
 * held in packages, and keys held without a limit in every locale.
 */
export function holdsGrant(permissions: Permissions, { key, scope, inPackagesOnly }: Grant): boolean {
  const locale = scope.kind === 'repo' ? scope.entry.locale : null
  const target = { ...targetOf(scope), packageId: inPackagesOnly ? 'any' : null }
  if (locale === null) return mayDo(permissions, key, target)
  return mayDoInLocale(permissions, key, { ...target, locale })
}

function targetOf(scope: Grant['scope']): Target {
  if (scope.kind === 'global') return {}
  if (scope.kind === 'site') return { siteId: scope.name }
  const { repositoryId, type } = scope.entry
  return { repositoryId, ...(type !== null && { type }) }
}

/** Whether the caller may call an operation at all: a check that needs no lookups. */
export function mayCall(permissions: Permissions, permission: KeyPermission): boolean {
  const { on, byLocale = false } = permission
  return permissionKeysOf(permission).some((key) => {
    if (on === 'global') return mayDo(permissions, key)
    return mayDoSomewhere(permissions, key) || (byLocale && mayDoInSomeLocale(permissions, key))
  })
}

/** Whether the key is held anywhere: a check that needs no lookups. */
export function mayDoSomewhere(permissions: Permissions, key: PermissionKey): boolean {
  return [permissions, permissions.inPackages].some((held) => {
    const named = [...held.repos.values(), ...held.sites.values()]
    return isHeld(held, key, {}) || named.some((keys) => keys.has(key))
  })
}

/** Whether the key is held in some locale of a repository or of a type in it. Default: of any repository. */
export function mayDoInSomeLocale(
  permissions: Permissions,
  key: PermissionKey,
  repositoryId?: string,
): boolean {
  return [permissions, permissions.inPackages].some(({ inLocales }) =>
    [...inLocales.values()].some((repos) =>
      [...repos].some(([text, keys]) => {
        const isThere = repositoryId === undefined || parseRightsEntry(text)?.repositoryId === repositoryId
        return isThere && keys.has(key)
      }),
    ),
  )
}

/** Whether the key is held on a repository, or on a type in it. */
export function mayDoWithin(permissions: Permissions, key: PermissionKey, branch: Branch): boolean {
  const held = branch.packageId === null ? [permissions] : [permissions, permissions.inPackages]
  return held.some(
    (keys) => isHeld(keys, key, branch) || typesWith(keys, key, branch.repositoryId).length > 0,
  )
}

/** Which of a repository's items the key reaches, as a read rule for the store. */
export function readerFor(permissions: Permissions, key: PermissionKey, repositoryId: string): Reader {
  const roles =
    isWhole(permissions, repositoryId) || permissions.roles === 'all' ? 'all' : [...permissions.roles]
  if (mayDo(permissions, key, { repositoryId })) return { types: 'all', roles }
  return { types: typesWith(permissions, key, repositoryId), roles }
}

function typesWith({ repos }: HeldKeys, key: PermissionKey, repositoryId: string): string[] {
  return [...repos].flatMap(([text, keys]) => {
    const entry = text.startsWith(repositoryId) && keys.has(key) ? parseRightsEntry(text) : null
    return entry?.repositoryId === repositoryId && entry.type !== null ? [entry.type] : []
  })
}

/**
 * Whether every key is held on a repository. Such a caller reaches every item there, whatever the
 * role lists say.
 */
export function isWhole({ whole }: Permissions, repositoryId: string): boolean {
  return whole === 'all' || whole.has(repositoryId)
}

/** Whether every key is held everywhere. */
export function isAdministrator({ whole }: Permissions): boolean {
  return whole === 'all'
}

/**
 * Whether a caller is granted something and can change nothing but content in packages: every key
 * held on main is one that a `branchOnly` role gives everywhere. False for the process itself.
 */
export function isBranchOnly(permissions: Permissions): boolean {
  if (permissions.global === 'all') return false
  const onMain = keysOf(permissions)
  const isLimited = onMain.every((key) => branchReachOf(key) === 'everywhere')
  return isLimited && (onMain.length > 0 || keysOf(permissions.inPackages).length > 0)
}

/** Every key that is held somewhere, once for each scope. */
function keysOf({ global, repos, sites, inLocales }: HeldKeys): readonly PermissionKey[] {
  const named = [repos, sites, ...inLocales.values()].flatMap((keys) => [...keys.values()])
  return [global === 'all' ? permissionKeys : global, ...named].flatMap((keys) => [...keys])
}
