import { permissionCatalogue, permissionKeys, type Api, type PermissionKey } from '@quire/contract'
import type { Quire, Principal } from '@quire/core'
import type { TestIssuer } from '@quire/testkit'

/** The columns of the matrix, in their order. */
export const principalNames = [
  'anonymous',
  'noRole',
  'otherRepository',
  'view',
  'write',
  'legacyWrite',
  'admin',
  'typeQualified',
  'itemLimited',
  'writeLimited',
  'branchOnly',
  'branchOnlyAccount',
  'localeLimited',
  'user',
  'groupMember',
] as const

export type PrincipalName = (typeof principalNames)[number]

/** A caller; with null members: anonymous. */
export interface Caller {
  readonly name: PrincipalName
  readonly principal: Principal | null
  readonly token: string | null
}

type Rights = Omit<Parameters<Api['roles']['create']>[0], 'name'>

/** The repositories that permissions are granted on. */
export interface RightsScope {
  /** The repository of all targets. */
  readonly repositoryId: string
  /** The repository where `otherRepository` is the administrator. */
  readonly otherId: string
  /** The issuer of the users' tokens. */
  readonly issuer: TestIssuer
}

type UserName = 'user' | 'groupMember'
type AccountName = Exclude<PrincipalName, 'anonymous' | UserName>

/**
 * The permissions of each service account; null: no role. The limited accounts are limited by the
 * role lists of items, not by their permissions.
 */
function rightsIn({ repositoryId, otherId }: RightsScope): Readonly<Record<AccountName, Rights | null>> {
  return {
    noRole: null,
    otherRepository: { permissions: { repos: { [otherId]: keysFor('repository') } } },
    view: { bundles: ['bundle.viewer'] },
    write: { bundles: ['bundle.contributor'] },
    legacyWrite: { repos: [{ CACHE_ROOT: 'magazine', id: repositoryId, permission: 'write' }] },
    admin: { bundles: ['bundle.administrator'] },
    typeQualified: { permissions: { repos: { [`${repositoryId}:article`]: keysFor('type') } } },
    itemLimited: { bundles: ['bundle.publisher'] },
    writeLimited: { bundles: ['bundle.publisher'] },
    branchOnly: { bundles: ['bundle.administrator'], branchOnly: true },
    branchOnlyAccount: { bundles: ['bundle.administrator'] },
    localeLimited: {
      bundles: ['bundle.viewer'],
      permissions: { repos: { [`${repositoryId}@de`]: ['items.update', 'items.publish'] } },
    },
  }
}

function keysFor(scope: 'repository' | 'type'): PermissionKey[] {
  return permissionKeys.filter((key) =>
    permissionCatalogue[key].scopes.some((possible: string) => possible === scope),
  )
}

/** Creates all accounts, with tokens. */
export async function createPrincipals(
  quire: Quire,
  system: Api,
  inScope: RightsScope,
): Promise<readonly Caller[]> {
  const principals: Caller[] = [{ name: 'anonymous', principal: null, token: null }]
  for (const [name, rights] of Object.entries(rightsIn(inScope))) {
    const role = rights && (await system.roles.create({ name: `Matrix ${name}`, ...rights }))
    const { id, secret } = await system.serviceAccounts.create({
      name,
      roles: role ? [role.id] : [],
      branchOnly: name === 'branchOnlyAccount',
    })
    const token = await tokenOf(quire, { id, secret })
    // The names are the keys of the record above.
    principals.push({ name: name as AccountName, principal: { kind: 'service', id }, token })
  }
  return [...principals, ...(await createUsers(system, inScope))]
}

/**
 * Users with the same permissions as `view` and `write`: one with its own role, one with the role
 * of a group.
 */
async function createUsers(system: Api, { issuer }: RightsScope): Promise<readonly Caller[]> {
  const viewers = await system.roles.create({ name: 'Matrix user', bundles: ['bundle.viewer'] })
  const writers = await system.roles.create({ name: 'Matrix group', bundles: ['bundle.contributor'] })
  const group = await system.groups.create({ name: 'Matrix group', roles: [writers.id] })
  const memberships = { user: { roles: [viewers.id] }, groupMember: { groups: [group.id] } }
  const principalOf = async (name: UserName): Promise<Caller> => {
    const { id } = await system.users.create({ id: `${name}@quire.test`, name, ...memberships[name] })
    return { name, principal: { kind: 'user', id }, token: await issuer.tokenFor(id, Date.now()) }
  }
  return [await principalOf('user'), await principalOf('groupMember')]
}

async function tokenOf(quire: Quire, { id, secret }: { id: string; secret: string }): Promise<string> {
  const input = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const { access_token: token } = await quire.as({ kind: 'anonymous' }).auth.token(input)
  return token
}
