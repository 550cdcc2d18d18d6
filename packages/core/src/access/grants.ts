import {
  builtInBundles,
  isPermissionKey,
  legacyPermissions,
  type PermissionKey,
  type Role,
} from '@quire/contract'

/** Where a grant holds: everywhere, on `<repositoryId>` or `<repositoryId>:<typeName>`, or on a site. */
export type GrantScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'repo'; readonly name: string }
  | { readonly kind: 'site'; readonly name: string }

/** One key that one role gives, and what of the role gives it. */
export interface Grant {
  readonly key: PermissionKey
  readonly scope: GrantScope
  readonly roleId: string
  /** The groups through which the role came; empty: directly. */
  readonly via: readonly string[]
  readonly source: string
}

/** A role that somebody has, and how. */
export interface HeldRole {
  readonly role: Role
  readonly via: readonly string[]
}

const everywhere: GrantScope = { kind: 'global' }

/**
 * All that a role gives: (keys of its bundles − revoke) ∪ global ∪ each scope's keys ∪ grant. Unknown keys and bundles give nothing.
 * Source: specification 2.6, 5.2.5; DESIGN "Security".
 */
export function grantsOf({ role, via }: HeldRole): readonly Grant[] {
  const revoked = new Set(role.overrides.revoke)
  const give = (scope: GrantScope, source: string, keys: readonly string[]) =>
    keys.filter(isPermissionKey).map((key): Grant => ({ key, scope, roleId: role.id, via, source }))
  const { global, repos, sites } = role.permissions
  return [
    ...role.bundles.flatMap((bundle) =>
      give(
        everywhere,
        bundle,
        keysOfBundle(bundle).filter((key) => !revoked.has(key)),
      ),
    ),
    ...give(everywhere, 'permissions.global', global),
    ...Object.entries(repos).flatMap(([name, keys]) =>
      give({ kind: 'repo', name }, `permissions.repos.${name}`, keys),
    ),
    ...Object.entries(sites).flatMap(([name, keys]) =>
      give({ kind: 'site', name }, `permissions.sites.${name}`, keys),
    ),
    ...role.repos.flatMap(({ id, permission }) =>
      give({ kind: 'repo', name: id }, `repos.${permission}`, legacyPermissions[permission]),
    ),
    ...give(everywhere, 'overrides.grant', role.overrides.grant),
  ]
}

/** The bundles of a role that hold a key which the role's `overrides.revoke` takes away. */
export function withheldBundles(role: Role, key: string): readonly string[] {
  if (!role.overrides.revoke.includes(key)) return []
  return role.bundles.filter((bundle) => keysOfBundle(bundle).some((held) => held === key))
}

function keysOfBundle(bundle: string): readonly PermissionKey[] {
  return Object.hasOwn(builtInBundles, bundle) ? (builtInBundles[bundle] ?? []) : []
}
