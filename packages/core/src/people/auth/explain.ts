import {
  permissionKeys,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type PermissionKey,
} from '@quire/contract'
import { grantsOf, withheldBundles, parseRightsEntry } from '../../engine/access/grants.ts'
import { holdingsOf, type Holder } from '../../engine/access/holdings.ts'
import { mayDo, permissionsOf, type Permissions, type Target } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { byIdOrName } from '../../engine/scope.ts'

/** What somebody may do. */
export type EffectivePermissions = OutputOf<Contract['auth']['myPermissions']>

/** What of it is to be explained. */
export type ExplainInput = ParsedOf<Contract['auth']['myPermissions']>

type Explanation = NonNullable<EffectivePermissions['explanation']>

/** What an account may do now, and for one key which role, group, bundle, entry or revoke gives or withholds it. */
export async function explained(
  call: Call,
  account: Holder & { readonly name: string },
  asked: ExplainInput,
): Promise<EffectivePermissions> {
  const holdings = await holdingsOf(call.store.records, account)
  const grants = grantsOf(holdings)
  const permissions = permissionsOf(
    holdings.roles.map(({ role }) => role.id),
    grants,
  )
  const { kind, id, name } = account
  const answer = { identity: { kind, id, name }, ...listed(permissions) }
  if (asked.explain === undefined) return answer
  const key = asked.explain as PermissionKey
  const target = await targetOf(call, asked)
  const given = grants.filter((grant) => grant.key === key && mayDo(permissionsOf([], [grant]), key, target))
  const explanation: Explanation = {
    key,
    allowed: mayDo(permissions, key, target),
    grants: given.map(({ roleId, via, source }) => ({ role: roleId, via: [...via], source })),
    withheld: holdings.roles.flatMap(({ role }) =>
      withheldBundles(role, key, holdings.bundles).map((source) => ({ role: role.id, source })),
    ),
  }
  return { ...answer, explanation }
}

/** Permissions as they are answered. */
export function listed({
  roles,
  global,
  repos,
  sites,
}: Permissions): Pick<EffectivePermissions, 'roles' | 'global' | 'repos' | 'sites'> {
  const byName = (keys: ReadonlyMap<string, ReadonlySet<PermissionKey>>) =>
    Object.fromEntries([...keys].map(([name, held]) => [name, [...held].toSorted()]))
  return {
    roles: roles === 'all' ? [] : [...roles].toSorted(),
    global: global === 'all' ? [...permissionKeys] : permissionKeys.filter((key) => global.has(key)),
    repos: byName(repos),
    sites: byName(sites),
  }
}

/** `repo` may name a repository by id or name, and one type of it after a colon. */
async function targetOf(call: Call, { repo, site }: ExplainInput): Promise<Target> {
  const entry = parseRightsEntry(repo ?? '')
  const ref = entry?.repositoryId ?? repo
  const repository = ref === undefined ? null : await byIdOrName(call.store.records, 'repository', ref)
  return {
    ...(ref !== undefined && { repositoryId: repository?.id ?? ref }),
    ...(entry && entry.type !== null && { type: entry.type }),
    ...(site !== undefined && { siteId: site }),
  }
}
