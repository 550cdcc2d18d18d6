import { QuireError, type Contract, type Issue, type MergeReport, type ParsedOf } from '@quire/contract'
import type { Call, WriteCall } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { isLive, type Side } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { applyToMain, isEffective, withoutStateOfDeleted } from './apply.ts'
import { requireMergeable } from './conflicts.ts'
import { branchRulesOf } from './kinds.ts'
import { planMerge } from './plan.ts'
import type { PlannedChange } from './change.ts'
import { withPublishedPages } from './published-pages.ts'
import {
  packageEvent,
  packageJson,
  requireState,
  storeChanged,
  withPackage,
  type PackageScope,
} from './record.ts'
import { requireOwnValues, requirePublishing, requireWritable } from './rights.ts'
import { hasMainMoved } from './sides.ts'
import { callAs, storedPrincipal, principalOf } from '../../engine/system-call.ts'
import { endWithin, newJob, type JobHandler } from '../../engine/job.ts'
import { isRefusal } from '../../engine/errors.ts'
import { dryRun } from '../../engine/dry-run.ts'
import { packageKey } from '../../engine/scope.ts'
import type { Entity, Stored, Job, Json } from '../../ports/index.ts'

type Input = ParsedOf<Contract['packages']['merge']>

/**
 * Merges a package into main: all changes or none, each as one new head (DESIGN "Packages").
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state` unless the package is
 * open or completed, `plan_stale`, `merge_conflict`, `not_publishable`, `invalid` for a resolution
 * that resolves nothing.
 */
export async function mergePackage(
  call: Call,
  { resolutions, planId, publish, ...ref }: Input,
): Promise<MergeReport> {
  const merged = await withPackage(call, ref, {
    key: 'packages.merge',
    async work(call, scope) {
      const { package: found } = scope
      requireState(found, ['open', 'completed'], 'only an open or completed package can be merged')
      await requireNoReview(call, found)
      const plan = await planMerge(call, scope, resolutions)
      requireMergeable(plan, planId)
      requireOwnValues(call, plan.changes, resolutions)
      const planned = publish ? await withPublishing(call, plan.changes) : plan.changes
      const changes = planned.map(withoutStateOfDeleted).filter(isEffective)
      requireWritable(call, changes)
      requirePublishing(call, changes)
      const { report, merged, published } = await applyToMain(call, { scope, changes })
      await requirePublishable(call, published)
      await call.store.records.put('merge', { id: found.id, changes: JSON.stringify(merged) }, 0)
      const date = { mergedDate: call.now, mergedByUser: call.identity.ref }
      const { mergeError: _mergeError, ...rest } = found
      const stored = await storeChanged(call, { ...rest, ...date, state: 'merged' })
      await call.record(
        packageEvent(call, 'PACKAGE_MERGED', { about: stored, details: { changes: merged.length } }),
      )
      return { planId: plan.planId, package: packageJson(stored), changes: report }
    },
  })
  return withPublishedPages(call, merged)
}

/**
 * An open package may still be under review: after a rejection, or while its review is being
 * started.
 * Errors: `invalid_state` then.
 */
async function requireNoReview({ store, now }: Call, { id, name, state }: Stored<'package'>): Promise<void> {
  const review = state === 'open' ? await store.records.get('workflow', id) : null
  if (!review || !(isRunning(review) || isStarting(review, now))) return
  throw new QuireError(
    'invalid_state',
    `The package "${name}" is under review: it can be merged once the review has ended.`,
  )
}

function isRunning({ info }: Stored<'workflow'>): boolean {
  return info !== null && info.completedAt === undefined
}

/**
 * Milliseconds after `until` in which an engine may still be asked again. After that, nobody
 * retries.
 */
const retryWindow = 15 * 60 * 1000

function isStarting({ pending }: Stored<'workflow'>, now: number): boolean {
  return pending?.isGivenUp === false && pending.until + retryWindow > now
}

/**
 * The same changes, with every live entity of a publishable type set to be published. An entity
 * that the package added without changing it is left as it is when main has changed it since.
 */
async function withPublishing(call: Call, changes: readonly PlannedChange[]): Promise<PlannedChange[]> {
  const all = changes.map(async (change): Promise<PlannedChange> => {
    const { merged, base, ours } = change
    const isOnlyAdded = base !== null && isSame(base.content, ours.content) && hasMainMoved(change)
    if (!isLive(merged) || merged.archived || isOnlyAdded || !(await isPublishable(call, change)))
      return change
    return { ...change, merged: publishedEverywhere(merged, change) }
  })
  return Promise.all(all)
}

/** Published where main publishes it, and in the locales that the package names. */
function publishedEverywhere({ publishedIn, ...merged }: Side, { mainHead }: PlannedChange): Side {
  const published = { ...merged, published: 'head' as const }
  const isPublic = mainHead !== null && mainHead.publishedVersion !== null
  if (!publishedIn || (isPublic && !mainHead.publications)) return published
  const codes = new Set([...publishedIn, ...Object.keys(mainHead?.publications ?? {})])
  return { ...published, publishedIn: [...codes].toSorted() }
}

async function isPublishable(call: Call, { rules, head }: PlannedChange): Promise<boolean> {
  return (await rules.states?.isPublishable(call, head)) ?? false
}

/**
 * Errors: `not_publishable` with the issues of all heads. Each path starts with the id of its
 * entity.
 */
async function requirePublishable(call: Call, heads: readonly Entity[]): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const issues: Issue[] = []
  for (const head of heads) {
    const found = (await branchRulesOf(head.kind).states?.publishIssues(call, head)) ?? []
    issues.push(...found.map(({ path, message }) => ({ path: `${head.id}.${path}`, message })))
    await yieldToLoop()
  }
  if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
}

type ScheduledMergeInput = ParsedOf<Contract['packages']['merge']>

/** The kind of job that merges a package at its scheduled time. */
export const mergeKind = 'package.merge'

/**
 * Merges a package now, or schedules the merge for `mergeAt` and reports what it would do now. A
 * `mergeAt` of null cancels the schedule. Errors: those of `mergePackage`.
 */
export function mergeNowOrLater(call: Call, input: ScheduledMergeInput): Promise<MergeReport> {
  const { mergeAt } = input
  if (mergeAt === undefined || (mergeAt !== null && mergeAt <= call.now)) return mergePackage(call, input)
  return withPackage(call, input, {
    key: 'packages.merge',
    work: (call, scope) => reschedule(call, scope, { input, mergeAt }),
  })
}

interface Rescheduling {
  readonly input: ScheduledMergeInput
  readonly mergeAt: number | null
}

interface Schedule extends Rescheduling {
  readonly found: Stored<'package'>
}

/** Removes an existing schedule and, unless `mergeAt` is null, adds a new one. */
async function reschedule(
  call: WriteCall,
  scope: PackageScope,
  { input, mergeAt }: Rescheduling,
): Promise<MergeReport> {
  const { package: found } = scope
  requireState(
    found,
    mergeAt === null ? ['scheduled'] : ['open', 'completed', 'scheduled'],
    'only an open, completed or scheduled package can be scheduled',
  )
  const before = await call.store.jobs.findUnended(keyOf(found.id))
  if (before) await call.store.jobs.cancel(before.id, call.now)
  const opened = await unschedule(call, { found, state: stateBefore(before) })
  const { revision: _revision, ...ref } = opened
  const merging = dryRun(call, (inner) => mergePackage({ ...inner, ifMatch: undefined }, input))
  const report = await (mergeAt === null ? merging.catch(nothingOf(call, scope)) : merging)
  const stored = mergeAt === null ? opened : await schedule(call, { found: opened, input, mergeAt })
  await call.record(packageEvent(call, 'PACKAGE_UPDATED', { about: ref, details: { mergeAt } }))
  return { ...report, package: packageJson(stored) }
}

/** The report of a merge that is not possible now, which is no reason to keep its schedule. */
function nothingOf(call: Call, scope: PackageScope) {
  return async (error: unknown): Promise<Omit<MergeReport, 'package'>> => {
    if (!(error instanceof QuireError) || !isRefusal(error)) throw error
    const { planId } = await planMerge(call, scope, [])
    return { planId, changes: [], pages: [] }
  }
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
    const { principal, input } = job.payload as unknown as { principal: unknown; input: ScheduledMergeInput }
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
  { input, state }: { input: ScheduledMergeInput; state: 'open' | 'completed' },
): Promise<void> {
  await call.write(async (call) => {
    const { records } = call.store
    const repository = await records.get('repository', input.repo)
    const found = repository && (await records.find('package', packageKey(repository.id, input.packageName)))
    if (found?.state === 'scheduled') await unschedule(call, { found, state })
  })
}
