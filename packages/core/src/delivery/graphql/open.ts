import { QuireError } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { knownRepository } from '../../engine/scope.ts'

/** What a graph is asked of. */
export interface GraphScope {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * Errors: `unauthorized` for nobody in particular, unless the repository is open to everybody: whether there is one or not, and on
 * every package.
 */
export async function requireOpenGraph(call: Call, { configId, packageName }: GraphScope): Promise<void> {
  if (call.identity.kind !== 'anonymous') return
  const repository = await knownRepository(call, configId)
  const isOpen = repository?.public && repository.settings.graphql.public
  if (!isOpen || packageName !== undefined) throw new QuireError('unauthorized')
}
