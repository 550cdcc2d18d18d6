import {
  limits,
  type Contract,
  type Job as SentJob,
  type OutputOf,
  type ParsedOf,
  type QueueStats,
} from '@quire/contract'
import type { Call } from '../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import { findRepository } from '../lines/lines.ts'
import { findJob, seenRepositories } from './find.ts'
import { presentJob } from './present.ts'

type Queue = Contract['queue']

/** The jobs that the caller may see, the newest first. Errors: `not_found`, `invalid`. */
export async function listJobs(
  call: Call,
  { repositoryId, kind, state, limit = limits.pageDefault, cursor }: ParsedOf<Queue['list']>,
): Promise<OutputOf<Queue['list']>> {
  const seen = await seenRepositories(call)
  const asked = repositoryId === undefined ? undefined : (await findRepository(call, repositoryId)).id
  const repositoryIds = asked === undefined ? seen : [asked].filter((id) => seen?.includes(id) ?? true)
  const found = await call.store.jobs.list({
    limit: limit + 1,
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(repositoryIds !== undefined && { repositoryIds }),
    ...(cursor !== undefined && { before: jobBefore(cursor) }),
  })
  const items = found.slice(0, limit).map(presentJob)
  const last = items.at(-1)
  return { items, ...(found.length > limit && last && { nextCursor: encodeCursor(last.id) }) }
}

/** The id that a page goes on below. Errors: `invalid`. */
export function jobBefore(cursor: string): string {
  const id = decodeCursor(cursor)
  if (typeof id !== 'string') throw badCursor()
  return id
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
