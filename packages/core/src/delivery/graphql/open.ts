import { QuireError } from '@quire/contract'
import { type Call } from '../../engine/call.ts'
import { knownRepository } from '../../engine/scope.ts'

/** The repository and package that a document is executed on. */
export interface GraphScope {
  readonly configId: string
  readonly packageName?: string | undefined
}

/**
 * Requires anonymous callers to read main of a repository that is open to the public.
 * Errors: `unauthorized` otherwise, whether the repository exists or not.
 */
export async function requireOpenGraph(call: Call, { configId, packageName }: GraphScope): Promise<void> {
  if (call.identity.kind !== 'anonymous') return
  const repository = await knownRepository(call, configId)
  const isOpen = repository?.public && repository.settings.graphql.public
  if (!isOpen || packageName !== undefined) throw new QuireError('unauthorized')
}
