import { QuireError, type Contract, type MergeReport, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { callAs, storedPrincipal, principalOf } from '../../engine/system-call.ts'
import { endWithin, newJob, type JobHandler } from '../../engine/job.ts'
import { isRefusal } from '../../engine/errors.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { packageKey } from '../../engine/scope.ts'
import type { Job, Json, Stored } from '../../ports/index.ts'
import { mergePackage } from './merge.ts'
import { packageEvent, requireState, storeChanged, withPackage } from './record.ts'

type Input = ParsedOf<Contract['packages']['merge']>

/** The kind of job that merges a package at its scheduled time. */
export const mergeKind = 'package.merge'

/**
 * Merges a package now, or schedules the merge for `mergeAt` and reports what it would do now. A
 * `mergeAt` of null cancels the schedule. Errors: those of `mergePackage`.
 */
export function mergeNowOrLater(call: Call, input: Input): Promise<MergeReport> {
  const { mergeAt } = input
  if (mergeAt === undefined || (mergeAt !== null && mergeAt <= call.now)) return mergePackage(call, input)
  return withPackage(call, input, {
    key: 'packages.merge',
    work: (call, { package: found }) => reschedule(call, { found, input, mergeAt }),
  })
}

interface Schedule {
  readonly found: Stored<'package'>
  readonly input: Input
  readonly mergeAt: number | null
}

/** Removes an existing schedule and, unless `mergeAt` is null, adds a new one. */
async function reschedule(call: WriteCall, { found, input, mergeAt }: Schedule): Promise<MergeReport> {
  requireState(
    found,
    mergeAt === null ? ['scheduled'] : ['open', 'completed', 'scheduled'],
    'only an open, completed or scheduled package can be scheduled',
  )
  const before = await call.store.jobs.findUnended(keyOf(found.id))
  if (before) await call.store.jobs.cancel(before.id, call.now)
  const opened = await unschedule(call, { found, state: stateBefore(before) })
  const { revision: _revision, ...ref } = opened
  const report = await dryRun(call, (inner) => mergePackage({ ...inner, ifMatch: undefined }, input))
  const stored = mergeAt === null ? opened : await schedule(call, { found: opened, input, mergeAt })
  await call.record(packageEvent(call, 'PACKAGE_UPDATED', { about: ref, details: { mergeAt } }))
  return { ...report, package: plainRecord(stored) }
}

async function schedule(
  call: WriteCall,
  { found, input, mergeAt }: Schedule & { mergeAt: number },
): Promise<Stored<'package'>> {
  const { packageName, publish, resolutions } = input
  const payload = {
    principal: storedPrincipal(call),
    state: found.state,
    packageName,
    // The input was parsed from JSON, so it is JSON.
    input: { repo: found.repositoryId, packageName, publish, resolutions } as unknown as Json,
  }
  const { id, repositoryId } = found
  const job = {
    kind: mergeKind,
    repositoryId,
    key: keyOf(id),
    payload,
    maxAttempts: 3,
    runAt: mergeAt,
  }
  await call.enqueue(newJob(call, job))
  return storeChanged(call, { ...found, state: 'scheduled', mergeAt })
}

function unschedule(
  call: WriteCall,
  { found, state }: { found: Stored<'package'>; state: 'open' | 'completed' },
): Promise<Stored<'package'>> | Stored<'package'> {
  if (found.state !== 'scheduled') return found
  const { mergeAt: _mergeAt, ...rest } = found
  return storeChanged(call, { ...rest, state })
}

function keyOf(packageId: string): string {
  return `${mergeKind}:${packageId}`
}

/** The package's state before it was scheduled. */
function stateBefore(job: Pick<Job, 'payload'> | null): 'open' | 'completed' {
  return job?.payload['state'] === 'completed' ? 'completed' : 'open'
}

/**
 * Merges a package at its scheduled time, with the permissions of the user who scheduled it. If the
 * merge is refused, the package returns to the state it had before, and the job says why.
 */
export const scheduledMerges: JobHandler = {
  slots: 1,
  each: 1,
  adds: true,
  async run(job, { call }) {
    const { principal, input } = job.payload as unknown as { principal: unknown; input: Input }
    const state = stateBefore(job)
    try {
      const caller = await callAs(call, principalOf(principal))
      await withPackage(caller, input, {
        key: 'packages.merge',
        async work(call, { package: found }) {
          requireState(found, ['scheduled'], 'it is no longer scheduled')
          await unschedule(call, { found, state })
          await mergePackage(call, input)
          await endWithin(call, job)
        },
      })
    } catch (error) {
      if (error instanceof QuireError && isRefusal(error)) await reopen(call, { input, state })
      throw error
    }
    return null
  },
}

async function reopen(
  call: Call,
  { input, state }: { input: Input; state: 'open' | 'completed' },
): Promise<void> {
  await call.write(async (call) => {
    const { records } = call.store
    const repository = await records.get('repository', input.repo)
    const found = repository && (await records.find('package', packageKey(repository.id, input.packageName)))
    if (found?.state === 'scheduled') await unschedule(call, { found, state })
  })
}
