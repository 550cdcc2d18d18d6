import {
  type Contract,
  type Job as SentJob,
  type OutputOf,
  type ParsedOf,
  type QueueStats,
} from '@quire/contract'
import type { Call } from '../call/call.ts'
import { pageOfJobs } from '../call/job-page.ts'
import { findRepository } from '../lines/lines.ts'
import { findJob, seenRepositories } from './find.ts'
import { presentJob } from '../call/present-job.ts'

type Queue = Contract['queue']

/** The jobs that the caller may see, the newest first. Errors: `not_found`, `invalid`. */
export async function listJobs(
  call: Call,
  { repositoryId, kind, state, ...page }: ParsedOf<Queue['list']>,
): Promise<OutputOf<Queue['list']>> {
  const seen = await seenRepositories(call)
  const asked = repositoryId === undefined ? undefined : (await findRepository(call, repositoryId)).id
  const repositoryIds = asked === undefined ? seen : [asked].filter((id) => seen?.includes(id) ?? true)
  const narrowed = {
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(repositoryIds !== undefined && { repositoryIds }),
  }
  return pageOfJobs(call, narrowed, { ...page, present: presentJob })
}

/** One job. Errors: `not_found`. */
export async function getJob(call: Call, { jobId }: ParsedOf<Queue['get']>): Promise<SentJob> {
  return presentJob(await findJob(call, jobId))
}

/** How many jobs there are of those that the caller may see, by kind and state. */
export async function countJobs(call: Call): Promise<QueueStats> {
  const seen = await seenRepositories(call)
  const counts = await call.store.jobs.counts()
  const shown = counts.filter(({ repositoryId }) => seen?.includes(repositoryId) ?? true)
  const groups = Map.groupBy(shown, ({ kind, state }) => `${kind} ${state}`)
  const jobs = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const count = group.reduce((sum, one) => sum + one.count, 0)
    const oldest = Math.min(...group.map((one) => one.oldest))
    return [{ kind: first.kind, state: first.state, count, oldest }]
  })
  return { jobs }
}
