import { QuireError, type Contract, type MergeReport, type ParsedOf } from '@quire/contract'
import { within, type Call } from '../call/call.ts'
import { callAs, keptWho, whoOf } from '../call/call-as.ts'
import { endWithin } from '../call/end-within.ts'
import type { JobHandler } from '../call/job-handler.ts'
import { newJob } from '../call/job.ts'
import { plainRecord } from '../call/records.ts'
import { rehearse } from '../call/rehearse.ts'
import { packageKey } from '../lines/lines.ts'
import type { Job, Json, Stored, Transaction } from '../ports/index.ts'
import { mergePackage } from './merge.ts'
import { packageEvent, requireState, storeChanged, withPackage } from './record.ts'

type Input = ParsedOf<Contract['packages']['merge']>

/** The kind of job that merges a package at its time. */
export const mergeKind = 'package.merge'

/** Merges a package, now or at a time. Errors: those of `mergePackage`. */
export function mergeNowOrLater(call: Call, input: Input): Promise<MergeReport> {
  const { mergeAt } = input
  if (mergeAt === undefined || (mergeAt !== null && mergeAt <= call.now)) return mergePackage(call, input)
  return withPackage(call, input, {
    key: 'packages.merge',
    work: (inside, tx, { package: found }) => reschedule(inside, tx, { found, input, mergeAt }),
  })
}

interface Schedule {
  readonly found: Stored<'package'>
  readonly input: Input
  readonly mergeAt: number | null
}

/** Takes the package out of the schedule where it is in it, and into it at a new time. */
async function reschedule(
  call: Call,
  tx: Transaction,
  { found, input, mergeAt }: Schedule,
): Promise<MergeReport> {
  requireState(
    found,
    mergeAt === null ? ['scheduled'] : ['open', 'completed', 'scheduled'],
    'only an open, completed or scheduled package can be scheduled',
  )
  const before = await tx.jobs.findUnended(keyOf(found.id))
  if (before) await tx.jobs.cancel(before.id, call.now)
  const opened = await withoutSchedule(call, tx, { found, state: stateBefore(before) })
  const { revision: _revision, ...ref } = opened
  const report = await rehearse(call, (inner) => mergePackage({ ...inner, ifMatch: undefined }, input))
  const stored = mergeAt === null ? opened : await scheduled(call, tx, { found: opened, input, mergeAt })
  await tx.journal.record(packageEvent(call, 'PACKAGE_UPDATED', { about: ref, details: { mergeAt } }))
  return { ...report, package: plainRecord(stored) }
}

async function scheduled(
  call: Call,
  tx: Transaction,
  { found, input, mergeAt }: Schedule & { mergeAt: number },
): Promise<Stored<'package'>> {
  const { packageName, publish, resolutions } = input
  const payload = {
    who: keptWho(call),
    state: found.state,
    packageName,
    // Parsed JSON, as it came.
    input: { repo: found.repositoryId, packageName, publish, resolutions } as unknown as Json,
  }
  const { id, repositoryId } = found
  const wanted = {
    kind: mergeKind,
    repositoryId,
    key: keyOf(id),
    payload,
    maxAttempts: 3,
    runAt: mergeAt,
  }
  await tx.jobs.enqueue(newJob(call, wanted))
  return storeChanged(call, tx, { ...found, state: 'scheduled', mergeAt })
}

function withoutSchedule(
  call: Call,
  tx: Transaction,
  { found, state }: { found: Stored<'package'>; state: 'open' | 'completed' },
): Promise<Stored<'package'>> | Stored<'package'> {
  if (found.state !== 'scheduled') return found
  const { mergeAt: _mergeAt, ...rest } = found
  return storeChanged(call, tx, { ...rest, state })
}

function keyOf(packageId: string): string {
  return `${mergeKind}:${packageId}`
}

/** What the package was before it was scheduled. */
function stateBefore(job: Pick<Job, 'payload'> | null): 'open' | 'completed' {
  return job?.payload['state'] === 'completed' ? 'completed' : 'open'
}

/**
 * Merges what is due, all of it with the rights of who scheduled it. What cannot be merged is no longer scheduled: who looks after it finds it
 * as it was before, and in the job why.
 */
export const scheduledMerges: JobHandler = {
  places: 1,
  each: 1,
  async run(job, { call }) {
    const { who, input } = job.payload as unknown as { who: unknown; input: Input }
    const state = stateBefore(job)
    try {
      const caller = await callAs(call, whoOf(who))
      await withPackage(caller, input, {
        key: 'packages.merge',
        async work(inside, tx, { package: found }) {
          requireState(found, ['scheduled'], 'it is no longer scheduled')
          await withoutSchedule(inside, tx, { found, state })
          await mergePackage(inside, input)
          await endWithin(call, tx, job)
        },
      })
    } catch (error) {
      if (error instanceof QuireError && error.status < 500) await reopen(call, { input, state })
      throw error
    }
    return null
  },
}

async function reopen(
  call: Call,
  { input, state }: { input: Input; state: 'open' | 'completed' },
): Promise<void> {
  await call.transaction(async (tx) => {
    const { records } = tx
    const repository = await records.get('repository', input.repo)
    const found = repository && (await records.find('package', packageKey(repository.id, input.packageName)))
    if (found?.state === 'scheduled') await withoutSchedule(within(call, tx), tx, { found, state })
  })
}
