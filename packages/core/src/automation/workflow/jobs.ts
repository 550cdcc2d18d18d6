import { QuireError } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { endWithin, JobFailed, type JobHandler } from '../../engine/job.ts'
import { isRefusal } from '../../engine/errors.ts'
import { mergePackage } from '../../branches/packages/merge.ts'
import { storeChanged } from '../../branches/packages/record.ts'
import type { Job } from '../../ports/index.ts'
import { type PendingAction, completionKind, reconcileKind } from './records.ts'
import { reconcile } from './reconcile.ts'
import { isAsking } from './transitions.ts'

/**
 * Repeats an action that has no conclusive answer from its engine. After the last attempt it is
 * given up; a callback of the engine can still show that it took effect.
 */
const reconcileHandler: JobHandler = {
  slots: 8,
  each: 1,
  async run(job, { call }) {
    const pending = await beginAttempt(call, job)
    if (!pending) return null
    const isLast = job.attempts >= job.maxAttempts
    const { asked } = await reconcile(call, { packageId: job.subject, pending, isLast })
    if (asked.kind === 'unknown') throw new JobFailed(`${asked.reason}.`)
    return null
  },
}

/**
 * Begins another attempt of the pending action, which lasts as long as the timeout of its
 * connection. Null: it is already resolved. Errors: JobFailed while another process waits for the
 * answer.
 */
async function beginAttempt(
  call: Call,
  { subject, payload: { actionId } }: Job,
): Promise<PendingAction | null> {
  return call.write(async ({ store: { records } }) => {
    const record = await records.get('workflow', subject)
    if (!record?.pending || record.pending.id !== actionId || record.pending.isGivenUp) return null
    if (isAsking(record, call.now)) throw new JobFailed('Another process is waiting for the answer.')
    const { revision, ...rest } = record
    const { tries, timeoutMs } = record.pending
    const pending = { ...record.pending, tries: tries + 1, until: call.now + timeoutMs }
    await records.put('workflow', { ...rest, pending }, revision)
    return pending
  })
}

/**
 * Merges a package whose workflow completed, if its repository is set up for that. If the merge
 * fails, the package stays completed and has the reason as its `mergeError`.
 */
const mergeHandler: JobHandler = {
  slots: 1,
  each: 1,
  adds: true,
  async run(job, { call }) {
    try {
      await call.write(async (call) => {
        await mergeCompleted(call, job.subject)
        await endWithin(call, job)
      })
    } catch (error) {
      const isRefused = error instanceof QuireError && isRefusal(error)
      if (!isRefused && job.attempts < job.maxAttempts) throw error
      await storeMergeError(call, { packageId: job.subject, mergeError: reasonOf(error) })
      throw isRefused ? new JobFailed(error.message, { isFinal: true, cause: error }) : error
    }
    return null
  },
}

/**
 * Does nothing if the package is no longer completed, or if the repository no longer merges
 * automatically.
 */
async function mergeCompleted(call: WriteCall, packageId: string): Promise<void> {
  const found = await call.store.records.get('package', packageId)
  const repository =
    found?.state === 'completed' && (await call.store.records.get('repository', found.repositoryId))
  if (!found || !repository) return
  const { autoMerge, publishOnMerge: publish } = repository.settings.workflow
  if (!autoMerge) return
  const { name: packageName, repositoryId: repo } = found
  await mergePackage(call, { repo, packageName, publish, resolutions: [] })
}

function reasonOf(error: unknown): string {
  return error instanceof QuireError
    ? error.message || error.code
    : 'Every attempt to merge failed. The log of the service shows the cause.'
}

async function storeMergeError(
  call: Call,
  { packageId, mergeError }: { packageId: string; mergeError: string },
): Promise<void> {
  await call.write(async (call) => {
    const found = await call.store.records.get('package', packageId)
    if (found?.state === 'completed') await storeChanged(call, { ...found, mergeError })
  })
}

export const workflowJobs: readonly (readonly [string, JobHandler])[] = [
  [reconcileKind, reconcileHandler],
  [completionKind, mergeHandler],
]
