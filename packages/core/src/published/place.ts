import { QuireError } from '@quire/contract'
import type { Permissions } from '../access/permissions.ts'
import type { Call } from '../call/call.ts'
import { publishedLine } from '../items/published-line.ts'
import { findRepository, knownRepository, type Place } from '../lines/lines.ts'

/** Where something published is read, by whom. */
export interface PublishedPlace {
  readonly call: Call
  readonly place: Place
}

/** What everybody may do in a public repository, on its line of what is published (specification 5.4). */
const publicKeys = new Set(['items.read', 'assets.read', 'assets.download'] as const)

/**
 * The published line of a repository, for a caller who is everybody where it is public.
 * Errors: `unauthorized` for nobody in particular where it is not, whether there is such a repository or not; `not_found` for others.
 */
export async function publishedPlace(call: Call, configId: string): Promise<PublishedPlace> {
  const repository = await knownRepository(call, configId)
  if (repository?.public) {
    const { identity } = call
    const permissions = withPublic(identity.permissions, repository.id)
    return placeOn({ ...call, identity: { ...identity, permissions } }, repository)
  }
  if (call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  return placeOn(call, await findRepository(call, configId))
}

function placeOn(call: Call, repository: Place['repository']): PublishedPlace {
  return { call, place: { repository, package: null, line: publishedLine(repository.id) } }
}

function withPublic(permissions: Permissions, repositoryId: string): Permissions {
  const held = permissions.repos.get(repositoryId) ?? []
  return {
    ...permissions,
    repos: new Map([...permissions.repos, [repositoryId, new Set([...held, ...publicKeys])]]),
  }
}
