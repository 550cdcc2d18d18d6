import { QuireError } from '@quire/contract'
import type { Permissions } from '../../engine/access/permissions.ts'
import type { Call } from '../../engine/call.ts'
import { publishedBranch } from '../../content/items/published-branch.ts'
import { findRepository, knownRepository, type Scope } from '../../engine/scope.ts'

/** Where something published is read, by whom. */
export interface PublishedScope {
  readonly call: Call
  readonly scope: Scope
}

/** What everybody may do in a public repository, on its branch of what is published (specification 5.4). */
const publicKeys = new Set(['items.read', 'assets.read', 'assets.download'] as const)

/**
 * The published branch of a repository, for a caller who is everybody where it is public.
 * Errors: `unauthorized` for nobody in particular where it is not, whether there is such a repository or not; `not_found` for others.
 */
export async function publishedScope(call: Call, configId: string): Promise<PublishedScope> {
  const repository = await knownRepository(call, configId)
  if (repository?.public) {
    const { identity } = call
    const permissions = withPublic(identity.permissions, repository.id)
    return scopeOn({ ...call, identity: { ...identity, permissions } }, repository)
  }
  if (call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  return scopeOn(call, await findRepository(call, configId))
}

function scopeOn(call: Call, repository: Scope['repository']): PublishedScope {
  return { call, scope: { repository, package: null, branch: publishedBranch(repository.id) } }
}

function withPublic(permissions: Permissions, repositoryId: string): Permissions {
  const held = permissions.repos.get(repositoryId) ?? []
  return {
    ...permissions,
    repos: new Map([...permissions.repos, [repositoryId, new Set([...held, ...publicKeys])]]),
  }
}
