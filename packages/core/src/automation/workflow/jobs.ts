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

/** Asks an engine again what it gave no answer to that tells, some times; then it is given up, and what it did shows by what it tells. */
const reconciling: JobHandler = {
  slots: 8,
  each: 1,
  async run(job, { call }) {
    const pending = await begin(call, job)
    if (!pending) return null
    const isLast = job.attempts >= job.maxAttempts
    const { asked } = await reconcile(call, { packageId: job.subject, pending, isLast })
    if (asked.kind === 'unknown') throw new JobFailed(`${asked.reason}.`)
    return null
  },
}

/** What is still pending, for as long as its connection leaves to an answer. Null: it is settled. Errors: JobFailed while somebody else waits. */
async function begin(call: Call, { subject, payload: { actionId } }: Job): Promise<PendingAction | null> {
  return call.write(async ({ store: { records } }) => {
    const record = await records.get('workflow', subject)
    if (!record?.pending || record.pending.id !== actionId || record.pending.isGivenUp) return null
    if (isAsking(record, call.now)) throw new JobFailed('Somebody else waits for the answer.')
    const { revision, ...rest } = record
    const { tries, timeoutMs } = record.pending
    const pending = { ...record.pending, tries: tries + 1, until: call.now + timeoutMs }
    await records.put('workflow', { ...rest, pending }, revision)
    return pending
  })
}

/** Merges a package whose workflow completed, as its repository wants it. Why it could not be merged shows on the package, which stays completed. */
const completing: JobHandler = {
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
      await logCause(call, { packageId: job.subject, why: whyOf(error) })
      throw isRefused ? new JobFailed(error.message, { isFinal: true, cause: error }) : error
    }
    return null
  },
}

/** Merges, unless somebody did it meanwhile, or the repository does not want it any more. */
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

function whyOf(error: unknown): string {
  return error instanceof QuireError
    ? error.message || error.code
    : 'The merge failed each time that it was tried: the log of the service says why.'
}

async function logCause(call: Call, { packageId, why }: { packageId: string; why: string }): Promise<void> {
  await call.write(async (call) => {
    const found = await call.store.records.get('package', packageId)
    if (found?.state === 'completed') await storeChanged(call, { ...found, mergeError: why })
  })
}

/** The jobs of workflows. */
export const workflowJobs: readonly (readonly [string, JobHandler])[] = [
  [reconcileKind, reconciling],
  [completionKind, completing],
]
