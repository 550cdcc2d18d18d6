import { type Repository, endpoints } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import type { Call } from '../../engine/call.ts'
import { JobFailed, type JobHandler } from '../../engine/job.ts'
import type { Job, Stored, JsonObject } from '../../ports/index.ts'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    repository: Repository
  }
}

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
  throw invalid([{ path: 'name', message: `"${name}" is part of a path of the API: choose another name` }])
}

/** The repository that a job is about. Errors: JobFailed when it was deleted meanwhile. */
export async function repositoryOfJob(call: Call, { repositoryId }: Job): Promise<Stored<'repository'>> {
  const found = await call.store.records.get('repository', repositoryId)
  if (found) return found
  throw new JobFailed('The repository is gone.', { isFinal: true })
}

/** The job after which what is computed from the content types of a repository is computed anew. */
export const graphReload: ReadonlyMap<string, JobHandler> = new Map([
  ['graph.reload', { slots: 1, each: 1, run: (job, { call }) => reload(call, job) }],
])

/**
 * Changes a record that all memos rest on (see `StructureRecord`): whatever was computed is dropped here at once, on every other server within a
 * second, and computed anew when it is next asked for. No request is dropped meanwhile.
 */
async function reload(call: Call, job: Job): Promise<JsonObject> {
  return call.write(async (call) => {
    const { id, name } = await repositoryOfJob(call, job)
    const found = await call.store.records.get('structure', id)
    await call.store.records.put('structure', { id }, found?.revision ?? 0)
    return { repository: name, message: 'What is computed from its content types is computed anew.' }
  })
}
