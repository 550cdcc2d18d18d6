import { QuireError, type Contract, type Job as SentJob, type OutputOf, type ParsedOf } from '@quire/contract'
import type { StreamedEvent } from '@quire/contract/codec'
import { serveEvents, type Following } from '../events/follow.ts'
import type { Call } from '../call/call.ts'
import type { Job } from '../ports/index.ts'
import { findJob } from './find.ts'
import { presentJob } from '../call/present-job.ts'

type Watch = Contract['queue']['watch']

/** Ms after which a job is looked at again, for what another process does. */
const othersMs = 250

/** A job as it is now and at every change, until it has ended or the caller may no longer see it. Errors: `not_found`, `too_many_requests`. */
export async function watchJob(call: Call, { jobId }: ParsedOf<Watch>): Promise<OutputOf<Watch>> {
  await findJob(call, jobId)
  return serveEvents(call, (following) => changesOf(following, jobId))
}

async function* changesOf(following: Following, jobId: string): AsyncGenerator<StreamedEvent<SentJob>> {
  let last = ''
  for (let call = await following.now(); call; call = await following.now()) {
    const job = await jobOrNull(call, jobId)
    if (!job) return
    const data = presentJob(job)
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
