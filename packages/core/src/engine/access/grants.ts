import {
  isPermissionKey,
  legacyPermissions,
  permissionCatalogue,
  type PermissionKey,
  type PermissionScope,
} from '@quire/contract'
import type { Bundles, HeldRepos, HeldRole, Holdings } from './holdings.ts'
import type { RoleRecord } from './records.ts'

/**
 * Where a grant applies: everywhere, on the repository or type that an entry of rights names, or on
 * a site.
 */
type GrantScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'repo'; readonly entry: RightsEntry }
  | { readonly kind: 'site'; readonly name: string }

/** One key that a caller is granted, and where it comes from. */
export interface Grant {
  readonly key: PermissionKey
  readonly scope: GrantScope
  /** Whether it applies in packages only; false: on main too. */
  readonly inPackagesOnly: boolean
  /** Null: a legacy entry of the account or of a group. */
  readonly roleId: string | null
  /** The groups through which it is inherited; empty: granted directly. */
  readonly via: readonly string[]
  readonly source: string
}

const everywhere: GrantScope = { kind: 'global' }

/** Every key that a caller is granted, once per source. */
export function grantsOf({ roles, repos, bundles, branchOnly }: Holdings): readonly Grant[] {
  const grants = [
    ...roles.flatMap((held) => grantsOfRole(held, bundles)),
    ...repos.flatMap((held) => grantsOfRepos(held, null)),
  ]
  return branchOnly ? grants.flatMap(forPackages) : grants
}

/**
 * All grants of a role: (keys of its bundles − revoke) ∪ global ∪ each scope's keys ∪ grant.
 * Unknown keys and bundles grant nothing. Source: specification 2.6, 5.2.5; DESIGN "Security".
 */
export function grantsOfRole({ role, via }: HeldRole, bundles: Bundles): readonly Grant[] {
  const revoked = new Set(role.overrides.revoke)
  const give = (scope: GrantScope, source: string, keys: readonly string[]) =>
    keys
      .filter(isPermissionKey)
      .filter((key) => holdsAt(key, scope))
      .map((key): Grant => ({ key, scope, inPackagesOnly: false, roleId: role.id, via, source }))
  const giveOn = (name: string, source: string, keys: readonly string[]) => {
    const entry = parseRightsEntry(name)
    return entry ? give({ kind: 'repo', entry }, source, keys) : []
  }
  const { global, repos, sites } = role.permissions
  const grants = [
    ...role.bundles.flatMap((bundle) =>
      give(
        everywhere,
        bundle,
        (bundles.get(bundle) ?? []).filter((key) => !revoked.has(key)),
      ),
    ),
    ...give(everywhere, 'permissions.global', global),
    ...Object.entries(repos).flatMap(([name, keys]) => giveOn(name, `permissions.repos.${name}`, keys)),
    ...Object.entries(sites).flatMap(([name, keys]) =>
      give({ kind: 'site', name }, `permissions.sites.${name}`, keys),
    ),
    ...grantsOfRepos({ repos: role.repos, via }, role.id),
    ...give(everywhere, 'overrides.grant', role.overrides.grant),
  ]
  return role.branchOnly === true ? grants.flatMap(forPackages) : grants
}

/** The remaining grant of a role or account that is `branchOnly`. */
function forPackages(grant: Grant): readonly Grant[] {
  const reach = branchReachOf(grant.key)
  return reach === 'nowhere' ? [] : [{ ...grant, inPackagesOnly: reach === 'packages' }]
}

/**
 * Whether a key applies in a scope. A key for which the catalogue does not list the scope applies
 * globally or not at all.
 */
function holdsAt(key: PermissionKey, scope: GrantScope): boolean {
  const scopes: readonly PermissionScope[] = permissionCatalogue[key].scopes
  if (scope.kind === 'global') return true
  if (scope.kind === 'site') return scopes.includes('site')
  const { type, locale } = scope.entry
  if (locale !== null && !scopes.includes('locale')) return false
  return scopes.includes(type === null ? 'repository' : 'type')
}

/**
 * The grants of legacy entries on their repositories (specification 2.6). Such an entry cannot be
 * limited to a locale, because it contains keys that cannot.
 */
function grantsOfRepos({ repos, via }: HeldRepos, roleId: string | null): readonly Grant[] {
  return repos.flatMap(({ id, permission }) => {
    const entry = parseRightsEntry(id)
    if (!entry || entry.locale !== null) return []
    const scope: GrantScope = { kind: 'repo', entry }
    const source = `repos.${permission}`
    return legacyPermissions[permission].map((key): Grant => {
      return { key, scope, inPackagesOnly: false, roleId, via, source }
    })
  })
}

/** The bundles of a role that contain a key which the role's `overrides.revoke` removes. */
export function withheldBundles(role: RoleRecord, key: string, bundles: Bundles): readonly string[] {
  if (!role.overrides.revoke.includes(key)) return []
  return role.bundles.filter((bundle) => bundles.get(bundle)?.some((held) => held === key))
}

/** Where a key applies that is granted for packages only. */
type BranchReach = 'everywhere' | 'packages' | 'nowhere'

// Keys that change content on whichever branch is named.
const inPackages: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'items.create',
  'items.update',
  'items.delete',
  'items.publish',
  'items.archive',
  'assets.upload',
  'folders.create',
  'folders.update',
  'folders.delete',
  'taxonomies.create',
  'taxonomies.update',
  'taxonomies.delete',
  'sites.update',
])

// Keys that read, or that concern a package as a whole and change nothing on main.
const heldEverywhere: ReadonlySet<PermissionKey> = new Set<PermissionKey>([
  'assets.download',
  'queries.run',
  'graphql.query',
  'ai.use',
  'integrations.use',
  'packages.create',
  'packages.update',
  'packages.comment',
  'packages.delete',
  'workflow.start',
])

/**
 * Where a key of a `branchOnly` role or account applies: reads everywhere, changes of content in packages.
 * Keys not listed here apply nowhere, so that a new key is refused until somebody decides. Those
 * are merging, reviewing, publishing sites, rights and settings.
 */
export function branchReachOf(key: PermissionKey): BranchReach {
  if (inPackages.has(key)) return 'packages'
  return heldEverywhere.has(key) || /\.(read|view)$/.test(key) ? 'everywhere' : 'nowhere'
}

/** An entry of a role's rights: `<repositoryId>[:<type>][@<locale>]`. */
export interface RightsEntry {
  readonly repositoryId: string
  /** The name of a content type; null: all types. */
  readonly type: string | null
  /** A canonical BCP 47 code; null: not limited to a locale. */
  readonly locale: string | null
}

const grammar = /^(?<repositoryId>[^:@]+)(?::(?<type>[^:@]+))?(?:@(?<code>[^:@]+))?$/

/** The only parser of entries. Null: the text is not an entry, and grants nothing. */
export function parseRightsEntry(text: string): RightsEntry | null {
  const { repositoryId, type = null, code } = grammar.exec(text)?.groups ?? {}
  if (repositoryId === undefined) return null
  if (code === undefined) return { repositoryId, type, locale: null }
  const locale = canonicalLocale(code)
  return locale === null ? null : { repositoryId, type, locale }
}

/** The canonical text of an entry, by which rights are looked up. */
export function rightsEntryText({
  repositoryId,
  type = null,
  locale = null,
}: Pick<RightsEntry, 'repositoryId'> & Partial<RightsEntry>): string {
  const named = type === null ? repositoryId : `${repositoryId}:${type}`
  return locale === null ? named : `${named}@${locale}`
}

function canonicalLocale(code: string): string | null {
  try {
    return Intl.getCanonicalLocales(code)[0] ?? null
  } catch {
    return null
  }
}
