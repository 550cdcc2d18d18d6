import { permissionCatalogue, permissionKeys, type Api, type PermissionKey } from '@quire/contract'
import type { Quire, Who } from '@quire/core'
import type { TestIssuer } from '@quire/testkit'

/** Who the columns of the matrix are, in their order. */
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
  'user',
  'groupMember',
] as const

/** A column of the matrix. */
export type PrincipalName = (typeof principalNames)[number]

/** Somebody who calls; null members: nobody in particular. */
export interface Principal {
  readonly name: PrincipalName
  readonly who: Who | null
  readonly token: string | null
}

type Rights = Omit<Parameters<Api['roles']['create']>[0], 'name'>

/** The repositories that the rights are about. */
export interface RightsPlace {
  /** Where all targets are. */
  readonly repositoryId: string
  /** Where `otherRepository` is the administrator. */
  readonly otherId: string
  /** Whose tokens users bring. */
  readonly issuer: TestIssuer
}

type UserName = 'user' | 'groupMember'
type AccountName = Exclude<PrincipalName, 'anonymous' | UserName>

/** What each service account may do; null: no role at all. Who is limited is so by the items that it meets, not by its keys. */
function rightsIn({ repositoryId, otherId }: RightsPlace): Readonly<Record<AccountName, Rights | null>> {
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
  }
}

function keysFor(scope: 'repository' | 'type'): PermissionKey[] {
  return permissionKeys.filter((key) =>
    permissionCatalogue[key].scopes.some((possible: string) => possible === scope),
  )
}

/** Makes an account of each, with a token. */
export async function createPrincipals(
  quire: Quire,
  system: Api,
  place: RightsPlace,
): Promise<readonly Principal[]> {
  const principals: Principal[] = [{ name: 'anonymous', who: null, token: null }]
  for (const [name, rights] of Object.entries(rightsIn(place))) {
    const role = rights && (await system.roles.create({ name: `Matrix ${name}`, ...rights }))
    const { id, secret } = await system.serviceAccounts.create({ name, roles: role ? [role.id] : [] })
    const token = await tokenOf(quire, { id, secret })
    // The names are the keys of the record above.
    principals.push({ name: name as AccountName, who: { kind: 'service', id }, token })
  }
  return [...principals, ...(await createUsers(system, place))]
}

/** Users who may do what `view` and `write` may: one by a role of its own, one by the role of a group. */
async function createUsers(system: Api, { issuer }: RightsPlace): Promise<readonly Principal[]> {
  const viewers = await system.roles.create({ name: 'Matrix user', bundles: ['bundle.viewer'] })
  const writers = await system.roles.create({ name: 'Matrix group', bundles: ['bundle.contributor'] })
  const group = await system.groups.create({ name: 'Matrix group', roles: [writers.id] })
  const memberships = { user: { roles: [viewers.id] }, groupMember: { groups: [group.id] } }
  const principalOf = async (name: UserName): Promise<Principal> => {
    const { id } = await system.users.create({ id: `${name}@quire.test`, name, ...memberships[name] })
    return { name, who: { kind: 'user', id }, token: await issuer.tokenFor(id, Date.now()) }
  }
  return [await principalOf('user'), await principalOf('groupMember')]
}

async function tokenOf(quire: Quire, { id, secret }: { id: string; secret: string }): Promise<string> {
  const input = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const { access_token: token } = await quire.as({ kind: 'anonymous' }).auth.token(input)
  return token
}
