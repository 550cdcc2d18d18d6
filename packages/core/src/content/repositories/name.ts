import { endpoints } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { Call } from '../../engine/call.ts'
import { JobFailed } from '../../engine/job-handler.ts'
import type { Job, Stored } from '../../ports/index.ts'

/**
 * The words that stand beside a repository in some path (`/api/items/upload`): no repository may have such a name, or one
 * address would mean two things. The contract gives those of its own paths; the rest belong to paths of the specification
 * that are served by hand or come with later groups (DESIGN "Words").
 */
export const reservedNames: ReadonlySet<string> = new Set([
  ...endpoints.flatMap(({ endpoint }) => wordsBesideRepository(endpoint.path)),
  'upload',
  'zip',
  'auto-package',
  'events',
  'status',
])

function wordsBesideRepository(path: string): string[] {
  const segments = path.split('/')
  return endpoints.flatMap(({ endpoint }) => {
    const others = endpoint.path.split('/')
    const at = others.findIndex((segment) => segment === '{configId}' || segment === '{repo}')
    const word =
      at > 0 && others.slice(0, at).join('/') === segments.slice(0, at).join('/') ? segments[at] : undefined
    return word === undefined || word.startsWith('{') ? [] : [word]
  })
}

/** Errors: `invalid` for a reserved name. */
export function requireFreeWord(name: string): void {
  if (!reservedNames.has(name)) return
  throw invalid([{ path: 'name', message: `"${name}" stands in addresses of the API: choose another` }])
}

/** The repository that a job is about. Errors: JobFailed when it was deleted meanwhile. */
export async function repositoryOfJob(call: Call, { repositoryId }: Job): Promise<Stored<'repository'>> {
  const found = await call.store.records.get('repository', repositoryId)
  if (found) return found
  throw new JobFailed('The repository is gone.', { isFinal: true })
}
