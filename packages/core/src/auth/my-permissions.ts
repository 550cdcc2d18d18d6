import {
  permissionKeys,
  type Contract,
  type OutputOf,
  type ParsedOf,
  type PermissionKey,
} from '@quire/contract'
import { grantsOf, withheldBundles, type Grant, type HeldRole } from '../access/grants.ts'
import { heldRoles } from '../access/held-roles.ts'
import { findAccount } from '../access/account.ts'
import { mayDo, type Permissions, type Target } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { byIdOrName } from '../lines/lines.ts'

type MyPermissions = OutputOf<Contract['auth']['myPermissions']>
type Input = ParsedOf<Contract['auth']['myPermissions']>

/** What the caller may do now, and for one key why (specification 5.2.8; DESIGN "Security"). */
export async function myPermissions(call: Call, input: Input): Promise<MyPermissions> {
  const { kind, id, name, permissions } = call.identity
  const answer = { identity: { kind, id, name }, ...listed(permissions) }
  if (input.explain === undefined) return answer
  return {
    ...answer,
    explanation: await explain(call, input.explain as PermissionKey, await targetOf(call, input)),
  }
}

function listed({
  roles,
  global,
  repos,
  sites,
}: Permissions): Pick<MyPermissions, 'roles' | 'global' | 'repos' | 'sites'> {
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
async function targetOf(call: Call, { repo, site }: Input): Promise<Target> {
  const [ref = '', type] = (repo ?? '').split(':')
  const repository = ref === '' ? null : await byIdOrName(call.store.records, 'repository', ref)
  return {
    ...(ref !== '' && { repositoryId: repository?.id ?? ref }),
    ...(type !== undefined && { type }),
    ...(site !== undefined && { siteId: site }),
  }
}

async function explain(
  call: Call,
  key: PermissionKey,
  target: Target,
): Promise<NonNullable<MyPermissions['explanation']>> {
  const held = await rolesOf(call)
  const grants = held.flatMap(grantsOf).filter((grant) => grant.key === key && reaches(grant, target))
  return {
    key,
    allowed: mayDo(call.identity.permissions, key, target),
    grants: grants.map(({ roleId, via, source }) => ({ role: roleId, via: [...via], source })),
    withheld: held.flatMap(({ role }) =>
      withheldBundles(role, key).map((source) => ({ role: role.id, source })),
    ),
  }
}

async function rolesOf(call: Call): Promise<readonly HeldRole[]> {
  const { kind, id } = call.identity
  if (kind !== 'user' && kind !== 'service') return []
  const account = await findAccount(call.store.records, { kind, id })
  return account ? heldRoles(call.store.records, account) : []
}

function reaches({ scope }: Grant, { repositoryId, type, siteId }: Target): boolean {
  if (scope.kind === 'global') return true
  if (scope.kind === 'site') return scope.name === siteId
  return scope.name === repositoryId || (type !== undefined && scope.name === `${repositoryId}:${type}`)
}
