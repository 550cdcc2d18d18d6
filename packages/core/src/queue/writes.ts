import { QuireError, type Contract, type Job as SentJob, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { deliveryKind } from '../webhooks/kind.ts'
import { manageableJob } from './find.ts'
import { presentJob } from '../call/present-job.ts'

type Queue = Contract['queue']

/** Cancels a job, or asks one that runs to end. Errors: `not_found`, `forbidden`; `invalid_state` for one that has ended. */
export async function cancelJob(call: Call, { jobId }: ParsedOf<Queue['cancel']>): Promise<SentJob> {
  return call.transaction(async (tx) => {
    const { state } = await manageableJob(within(call, tx), jobId)
    const cancelled = await tx.jobs.cancel(jobId, call.now)
    if (!cancelled) throw new QuireError('invalid_state', `The job has ended: it is ${state}.`)
    return presentJob(cancelled)
  })
}

/** Queues a job again that failed or was cancelled. Errors: `not_found`, `forbidden`; `invalid_state` for any other, and for deliveries. */
export async function retryJob(call: Call, { jobId }: ParsedOf<Queue['retry']>): Promise<SentJob> {
  return call.transaction(async (tx) => {
    const { kind, state } = await manageableJob(within(call, tx), jobId)
    if (kind === deliveryKind)
      throw new QuireError(
        'invalid_state',
        'A delivery is attempted once (specification 6.3): repeat it as a new one by webhooks.redeliver.',
      )
    const queued = await tx.jobs.retry(jobId, call.now)
    if (!queued)
      throw new QuireError(
        'invalid_state',
        `The job is ${state}: only one that failed or was cancelled is begun again.`,
      )
    return presentJob(queued)
  })
}
