import {
  type Contract,
  type Job as SentJob,
  type OutputOf,
  type ParsedOf,
  type QueueStats,
  QuireError,
  type PermissionKey,
} from '@quire/contract'
import { type Call, requirePermission } from '../../engine/call.ts'
import { pageOfJobs, serializeJob } from '../../engine/job.ts'
import { findRepository } from '../../engine/scope.ts'
import type { StreamedEvent } from '@quire/contract/codec'
import { serveEvents, type Following } from '../events/follow.ts'
import type { Job } from '../../ports/index.ts'
import { deliveryKind } from '../webhooks/record.ts'
import { mayDo } from '../../engine/access/permissions.ts'

type Queue = Contract['queue']

/** The jobs that the caller may see, the newest first. Errors: `not_found`, `invalid`. */
async function listJobs(
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
  return pageOfJobs(call, narrowed, { ...page, existing: serializeJob })
}

/** One job. Errors: `not_found`. */
async function getJob(call: Call, { jobId }: ParsedOf<Queue['get']>): Promise<SentJob> {
  return serializeJob(await findJob(call, jobId))
}

/** How many jobs there are of those that the caller may see, by kind and state. */
async function countJobs(call: Call): Promise<QueueStats> {
  const seen = await seenRepositories(call)
  const counts = await call.store.jobs.counts()
  const visible = counts.filter(({ repositoryId }) => seen?.includes(repositoryId) ?? true)
  const groups = Map.groupBy(visible, ({ kind, state }) => `${kind} ${state}`)
  const jobs = [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const count = group.reduce((sum, one) => sum + one.count, 0)
    const oldest = Math.min(...group.map((one) => one.oldest))
    return [{ kind: first.kind, state: first.state, count, oldest }]
  })
  return { jobs }
}

type Watch = Contract['queue']['watch']

/** Ms after which a job is looked at again, for what another process does. */
const othersMs = 250

/** A job as it is now and at every change, until it has ended or the caller may no longer see it. Errors: `not_found`, `too_many_requests`. */
async function watchJob(call: Call, { jobId }: ParsedOf<Watch>): Promise<OutputOf<Watch>> {
  await findJob(call, jobId)
  return serveEvents(call, (following) => changesOf(following, jobId))
}

async function* changesOf(following: Following, jobId: string): AsyncGenerator<StreamedEvent<SentJob>> {
  let last = ''
  for (let call = await following.now(); call; call = await following.now()) {
    const job = await jobOrNull(call, jobId)
    if (!job) return
    const data = serializeJob(job)
    const text = JSON.stringify(data)
    if (text !== last) yield { data }
    last = text
    if (hasEnded(job)) return
    await following.change(othersMs)
  }
}

async function jobOrNull(call: Call, jobId: string): Promise<Job | null> {
  try {
    return await findJob(call, jobId)
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  }
}

function hasEnded({ state }: Job): boolean {
  return state !== 'queued' && state !== 'running'
}

/** Cancels a job, or asks one that runs to end. Errors: `not_found`, `forbidden`; `invalid_state` for one that has ended. */
async function cancelJob(call: Call, { jobId }: ParsedOf<Queue['cancel']>): Promise<SentJob> {
  return call.write(async (call) => {
    const { state } = await manageableJob(call, jobId)
    const cancelled = await call.store.jobs.cancel(jobId, call.now)
    if (!cancelled) throw new QuireError('invalid_state', `The job has ended: it is ${state}.`)
    return serializeJob(cancelled)
  })
}

/** Queues a job again that failed or was cancelled. Errors: `not_found`, `forbidden`; `invalid_state` for any other, and for deliveries. */
async function retryJob(call: Call, { jobId }: ParsedOf<Queue['retry']>): Promise<SentJob> {
  return call.write(async (call) => {
    const { kind, state } = await manageableJob(call, jobId)
    if (kind === deliveryKind)
      throw new QuireError(
        'invalid_state',
        'A delivery is attempted once (specification 6.3): repeat it as a new one by webhooks.redeliver.',
      )
    const queued = await call.store.jobs.retry(jobId, call.now)
    if (!queued)
      throw new QuireError(
        'invalid_state',
        `The job is ${state}: only one that failed or was cancelled is begun again.`,
      )
    call.afterCommit(call.hooks.wake)
    return serializeJob(queued)
  })
}

/** A job that the caller may see. Errors: `not_found`, one and the same for what is absent and for what the caller may not see. */
async function findJob(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  if (!job || !mayOn(call, 'queue.view', job.repositoryId)) throw absent(jobId)
  return job
}

/** A job that the caller may end or begin. Errors: `not_found`; `forbidden` for one that the caller may only see. */
async function manageableJob(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  const isSeen =
    job && (mayOn(call, 'queue.view', job.repositoryId) || mayOn(call, 'queue.manage', job.repositoryId))
  if (!isSeen) throw absent(jobId)
  requirePermission(call, 'queue.manage', targetOf(job.repositoryId))
  return job
}

/** The repositories whose jobs the caller may see; undefined: all of them, and the jobs of the service itself. */
async function seenRepositories(call: Call): Promise<readonly string[] | undefined> {
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

export {
  countJobs as stats,
  getJob as get,
  listJobs as list,
  watchJob as watch,
  cancelJob as cancel,
  retryJob as retry,
}
