import { type Repository, endpoints } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { mayDo } from '../../engine/access/permissions.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { JobFailed, type JobHandler } from '../../engine/job.ts'
import { requireRecord } from '../../engine/record-rules.ts'
import { byIdOrName, findRepository } from '../../engine/scope.ts'
import type { Job, Stored, JsonObject } from '../../ports/index.ts'

declare module '../../ports/records.ts' {
  interface RecordKinds {
    repository: Repository
  }
}

/**
 * Words that take the position of a repository name in some path, such as `/api/items/upload`. A
 * repository with such a name would make paths ambiguous. The words of the contract's paths are
 * computed; the others belong to paths of the specification that have their own handlers or are
 * reserved for later groups (DESIGN "Words").
 */
export const reservedNames: ReadonlySet<string> = new Set([
  ...wordsBesideRepositories(endpoints.map(({ endpoint }) => endpoint.path)),
  'upload',
  'zip',
  'auto-package',
  'events',
  'status',
])

function wordsBesideRepositories(paths: readonly string[]): string[] {
  const beforeRepository = new Set(
    paths.flatMap((path) => /^(.+)\/\{(?:configId|repo)\}/.exec(path)?.slice(1) ?? []),
  )
  return paths.flatMap((path) => {
    const segments = path.split('/')
    return segments.filter(
      (word, at) => !word.startsWith('{') && beforeRepository.has(segments.slice(0, at).join('/')),
    )
  })
}

/** Errors: `invalid` for a reserved name. */
export function requireFreeWord(name: string): void {
  if (!reservedNames.has(name)) return
  throw invalid([{ path: 'name', message: `"${name}" is part of a path of the API: choose another name` }])
}

/**
 * Finds a repository that the caller may change. Errors: `not_found` if the caller may not see it,
 * `forbidden` if the caller may only see it.
 */
export async function changeableRepository(call: Call, ref: string): Promise<Stored<'repository'>> {
  const found = await byIdOrName(call.store.records, 'repository', ref)
  const may =
    found && mayDo(call.identity.permissions, 'admin.repositories.update', { repositoryId: found.id })
  if (found && may) return requireRecord<'repository'>(call, found, `repository "${ref}"`)
  const seen = await findRepository(call, ref)
  requirePermission(call, 'admin.repositories.update', { repositoryId: seen.id })
  return seen
}

/** Reads the repository of a job. Errors: JobFailed, final, if the repository has been deleted. */
export async function repositoryOfJob(call: Call, { repositoryId }: Job): Promise<Stored<'repository'>> {
  const found = await call.store.records.get('repository', repositoryId)
  if (found) return found
  throw new JobFailed('The repository is gone.', { isFinal: true })
}

/** The job that invalidates everything computed from the content types of a repository. */
export const graphReload: ReadonlyMap<string, JobHandler> = new Map([
  ['graph.reload', { slots: 1, each: 1, run: (job, { call }) => reload(call, job) }],
])

/**
 * Writes a record on which all cached values depend (see `StructureRecord`). They are dropped here
 * at once and on every other server within a second, and computed again when they are next needed.
 * Requests continue meanwhile.
 */
async function reload(call: Call, job: Job): Promise<JsonObject> {
  return call.write(async (call) => {
    const { id, name } = await repositoryOfJob(call, job)
    const found = await call.store.records.get('structure', id)
    await call.store.records.put('structure', { id }, found?.revision ?? 0)
    return { repository: name, message: 'Everything computed from its content types will be computed again.' }
  })
}
