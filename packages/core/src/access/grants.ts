import {
  isPermissionKey,
  legacyPermissions,
  permissionCatalogue,
  type PermissionKey,
  type PermissionScope,
  type Role,
} from '@quire/contract'
import type { Bundles, HeldRepos, HeldRole, Holdings } from './holdings.ts'

/** Where a grant holds: everywhere, on `<repositoryId>` or `<repositoryId>:<typeName>`, or on a site. */
export type GrantScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'repo'; readonly name: string }
  | { readonly kind: 'site'; readonly name: string }

/** One key that somebody is given, and what gives it. */
export interface Grant {
  readonly key: PermissionKey
  readonly scope: GrantScope
  /** Null: legacy entries of the account or of a group. */
  readonly roleId: string | null
  /** The groups through which it came; empty: directly. */
  readonly via: readonly string[]
  readonly source: string
}

const everywhere: GrantScope = { kind: 'global' }

/** Every key that somebody is given, once for each thing that gives it. */
export function grantsOf({ roles, repos, bundles }: Holdings): readonly Grant[] {
  return [
    ...roles.flatMap((held) => grantsOfRole(held, bundles)),
    ...repos.flatMap((held) => grantsOfRepos(held, null)),
  ]
}

/**
 * All that a role gives: (keys of its bundles − revoke) ∪ global ∪ each scope's keys ∪ grant. Unknown keys and bundles give nothing.
 * Source: specification 2.6, 5.2.5; DESIGN "Security".
 */
export function grantsOfRole({ role, via }: HeldRole, bundles: Bundles): readonly Grant[] {
  const revoked = new Set(role.overrides.revoke)
  const give = (scope: GrantScope, source: string, keys: readonly string[]) =>
    keys
      .filter(isPermissionKey)
      .filter((key) => holdsAt(key, scope))
      .map((key): Grant => ({ key, scope, roleId: role.id, via, source }))
  const { global, repos, sites } = role.permissions
  return [
    ...role.bundles.flatMap((bundle) =>
      give(
        everywhere,
        bundle,
        (bundles.get(bundle) ?? []).filter((key) => !revoked.has(key)),
      ),
    ),
    ...give(everywhere, 'permissions.global', global),
    ...Object.entries(repos).flatMap(([name, keys]) =>
      give({ kind: 'repo', name }, `permissions.repos.${name}`, keys),
    ),
    ...Object.entries(sites).flatMap(([name, keys]) =>
      give({ kind: 'site', name }, `permissions.sites.${name}`, keys),
    ),
    ...grantsOfRepos({ repos: role.repos, via }, role.id),
    ...give(everywhere, 'overrides.grant', role.overrides.grant),
  ]
}

/** Whether a key means anything there: one that the catalogue gives no such scope holds globally or not at all. */
function holdsAt(key: PermissionKey, scope: GrantScope): boolean {
  const scopes: readonly PermissionScope[] = permissionCatalogue[key].scopes
  if (scope.kind === 'global') return true
  if (scope.kind === 'site') return scopes.includes('site')
  return scopes.includes(scope.name.includes(':') ? 'type' : 'repository')
}

/** What legacy entries give, on their repositories (specification 2.6). */
function grantsOfRepos({ repos, via }: HeldRepos, roleId: string | null): readonly Grant[] {
  return repos.flatMap(({ id, permission }) =>
    legacyPermissions[permission].map((key): Grant => {
      return { key, scope: { kind: 'repo', name: id }, roleId, via, source: `repos.${permission}` }
    }),
  )
}

/** The bundles of a role that hold a key which the role's `overrides.revoke` takes away. */
export function withheldBundles(role: Role, key: string, bundles: Bundles): readonly string[] {
  if (!role.overrides.revoke.includes(key)) return []
  return role.bundles.filter((bundle) => bundles.get(bundle)?.some((held) => held === key))
}
