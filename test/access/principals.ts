import { permissionCatalogue, permissionKeys, type Api, type PermissionKey } from '@quire/contract'
import type { Quire, Who } from '@quire/core'

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
}

/** What each may do; null: no role at all. Who is limited is so by the items that it meets, not by its keys. */
function rightsIn({
  repositoryId,
  otherId,
}: RightsPlace): Readonly<Record<Exclude<PrincipalName, 'anonymous'>, Rights | null>> {
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
    principals.push({ name: name as PrincipalName, who: { kind: 'service', id }, token })
  }
  return principals
}

async function tokenOf(quire: Quire, { id, secret }: { id: string; secret: string }): Promise<string> {
  const input = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  const { access_token: token } = await quire.as({ kind: 'anonymous' }).auth.token(input)
  return token
}
