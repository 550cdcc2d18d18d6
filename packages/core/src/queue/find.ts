import { QuireError, type PermissionKey } from '@quire/contract'
import { mayDo } from '../access/permissions.ts'
import { requirePermission, type Call } from '../call/call.ts'
import type { Job } from '../ports/index.ts'

/** A job that the caller may see. Errors: `not_found`, one and the same for what is absent and for what the caller may not see. */
export async function findJob(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  if (!job || !mayOn(call, 'queue.view', job.repositoryId)) throw absent(jobId)
  return job
}

/** A job that the caller may end or begin. Errors: `not_found`; `forbidden` for one that the caller may only see. */
export async function manageableJob(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  const isSeen =
    job && (mayOn(call, 'queue.view', job.repositoryId) || mayOn(call, 'queue.manage', job.repositoryId))
  if (!isSeen) throw absent(jobId)
  requirePermission(call, 'queue.manage', targetOf(job.repositoryId))
  return job
}

/** The repositories whose jobs the caller may see; undefined: all of them, and the jobs of the service itself. */
export async function seenRepositories(call: Call): Promise<readonly string[] | undefined> {
  if (mayOn(call, 'queue.view', '')) return undefined
  const all = await call.store.records.list('repository')
  return all.map(({ id }) => id).filter((id) => mayOn(call, 'queue.view', id))
}

function mayOn(call: Call, key: PermissionKey, repositoryId: string): boolean {
  return mayDo(call.identity.permissions, key, targetOf(repositoryId))
}

/** Jobs of the service itself are for those who hold the key everywhere. */
function targetOf(repositoryId: string): { repositoryId?: string } {
  return repositoryId === '' ? {} : { repositoryId }
}

function absent(jobId: string): QuireError {
  return new QuireError('not_found', `There is no job "${jobId}" that you may see.`)
}
