import {
  contract,
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
import { isStoredFor } from '../../engine/system-call.ts'
import type { StreamedEvent } from '@quire/contract/codec'
import { serveEvents, type ChangeFeed } from '../events/follow.ts'
import type { Job } from '../../ports/index.ts'
import { deliveryKind } from '../webhooks/record.ts'
import { mayCall, mayDo } from '../../engine/access/permissions.ts'

type Queue = Contract['queue']

/**
 * The jobs that the caller may see, newest first. Errors: `not_found` for the repository; `invalid`
 * for a bad cursor.
 */
async function listJobs(
  call: Call,
  { repositoryId, kind, state, ...page }: ParsedOf<Queue['list']>,
): Promise<OutputOf<Queue['list']>> {
  const visible = await visibleRepositories(call)
  const only = repositoryId === undefined ? undefined : (await findRepository(call, repositoryId)).id
  const repositoryIds = only === undefined ? visible : [only].filter((id) => visible?.includes(id) ?? true)
  const filter = {
    ...(kind !== undefined && { kind }),
    ...(state !== undefined && { state }),
    ...(repositoryIds !== undefined && { repositoryIds }),
  }
  return pageOfJobs(call, filter, { ...page, serialize: serializeJob })
}

/** One job. Errors: `not_found`. */
async function getJob(call: Call, { jobId }: ParsedOf<Queue['get']>): Promise<SentJob> {
  return serializeJob(await findJob(call, jobId))
}

/** Counts the jobs that the caller may see, by kind and state. */
async function countJobs(call: Call): Promise<QueueStats> {
  const visible = await visibleRepositories(call)
  const counts = await call.store.jobs.counts()
  const counted = counts.filter(({ repositoryId }) => visible?.includes(repositoryId) ?? true)
  const groups = Map.groupBy(counted, ({ kind, state }) => `${kind} ${state}`)
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

/** Milliseconds between reads of a watched job, for changes by other processes. */
const othersMs = 250

/**
 * Streams a job as it is now and after every change, until it has ended or the caller may no longer
 * see it. Errors: `not_found`, `too_many_requests`.
 */
async function watchJob(call: Call, { jobId }: ParsedOf<Watch>): Promise<OutputOf<Watch>> {
  await findJob(call, jobId)
  return serveEvents(call, (feed) => changesOf(feed, jobId))
}

async function* changesOf(feed: ChangeFeed, jobId: string): AsyncGenerator<StreamedEvent<SentJob>> {
  let last = ''
  for (let call = await feed.currentCall(); call; call = await feed.currentCall()) {
    const job = await jobOrNull(call, jobId)
    if (!job) return
    const data = serializeJob(job)
    const text = JSON.stringify(data)
    if (text !== last) yield { data }
    last = text
    if (hasEnded(job)) return
    await feed.nextChange(othersMs)
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

/**
 * Cancels a queued job, or asks a running one to stop. Errors: `not_found`, `forbidden`;
 * `invalid_state` if it has ended.
 */
async function cancelJob(call: Call, { jobId }: ParsedOf<Queue['cancel']>): Promise<SentJob> {
  return call.write(async (call) => {
    const { state } = await requireManageable(call, jobId)
    const cancelled = await call.store.jobs.cancel(jobId, call.now)
    if (!cancelled) throw new QuireError('invalid_state', `The job has already ended as ${state}.`)
    return serializeJob(cancelled)
  })
}

/**
 * Queues a failed or cancelled job again. Errors: `not_found`, `forbidden`; `invalid_state` for a
 * job in another state, and for deliveries.
 */
async function retryJob(call: Call, { jobId }: ParsedOf<Queue['retry']>): Promise<SentJob> {
  return call.write(async (call) => {
    const { kind, state } = await requireManageable(call, jobId)
    if (kind === deliveryKind)
      throw new QuireError(
        'invalid_state',
        'A delivery is attempted only once (specification 6.3). Call webhooks.redeliver to start a new delivery.',
      )
    const queued = await call.store.jobs.retry(jobId, call.now)
    if (!queued)
      throw new QuireError(
        'invalid_state',
        `The job is ${state}. Only a failed or cancelled job can be retried.`,
      )
    call.afterCommit(call.wiring.wake)
    return serializeJob(queued)
  })
}

/**
 * Errors: `not_found`, with the same message for an absent job and for one that the caller may not
 * see.
 */
async function findJob(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  if (!job || !maySee(call, job)) throw absent(jobId)
  return job
}

/** Whoever may start jobs may see those that they started: a publication, a scheduled merge. */
function maySee(call: Call, { repositoryId, payload }: Job): boolean {
  if (mayOn(call, 'queue.view', repositoryId)) return true
  return (
    mayCall(call.identity.permissions, contract.queue.get.permission) &&
    isStoredFor(call, payload['principal'])
  )
}

/**
 * Requires a job that the caller may cancel and retry. Errors: `not_found`; `forbidden` if the
 * caller may only see it.
 */
async function requireManageable(call: Call, jobId: string): Promise<Job> {
  const job = await call.store.jobs.get(jobId)
  if (!job || !(maySee(call, job) || mayOn(call, 'queue.manage', job.repositoryId))) throw absent(jobId)
  requirePermission(call, 'queue.manage', targetOf(job.repositoryId))
  return job
}

/**
 * The repositories whose jobs the caller may see; undefined: all jobs, including those of the
 * service itself.
 */
async function visibleRepositories(call: Call): Promise<readonly string[] | undefined> {
  if (mayOn(call, 'queue.view', '')) return undefined
  const all = await call.store.records.list('repository')
  return all.map(({ id }) => id).filter((id) => mayOn(call, 'queue.view', id))
}

function mayOn(call: Call, key: PermissionKey, repositoryId: string): boolean {
  return mayDo(call.identity.permissions, key, targetOf(repositoryId))
}

/** Jobs of the service itself require the permission for all repositories. */
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
