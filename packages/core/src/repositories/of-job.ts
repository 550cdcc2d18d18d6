import type { Call } from '../call/call.ts'
import { JobFailed } from '../call/job-handler.ts'
import type { Job, Stored } from '../ports/index.ts'

/** The repository that a job is about. Errors: JobFailed when it was deleted meanwhile. */
export async function repositoryOfJob(call: Call, { repositoryId }: Job): Promise<Stored<'repository'>> {
  const found = await call.store.records.get('repository', repositoryId)
  if (found) return found
  throw new JobFailed('The repository is gone.', { isFinal: true })
}
