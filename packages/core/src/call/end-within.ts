import type { Job, Transaction } from '../ports/index.ts'
import type { Call } from './call.ts'

/**
 * Ends a job in the transaction of its effect: both are committed, or neither, so that a process which ends between them is not followed by another
 * that does it again (TRUST I6). Errors: throws when the job is no longer this worker's; the effect is then undone.
 */
export async function endWithin({ environment }: Call, tx: Transaction, { id, lease }: Job): Promise<void> {
  const at = environment.clock.now()
  const isEnded = await tx.jobs.finish({
    id,
    lease,
    state: 'succeeded',
    at,
    error: null,
    result: null,
  })
  if (!isEnded) throw new Error(`The job ${id} was taken by another worker.`)
}
