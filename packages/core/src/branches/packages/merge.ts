import {
  QuireError,
  type Contract,
  type Issue,
  type MergeReport,
  type Package,
  type ParsedOf,
} from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { plainRecord } from '../../engine/record-rules.ts'
import { isLive } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity, Stored } from '../../ports/index.ts'
import { applyToMain, isEffective, withoutStateOfDeleted } from './apply.ts'
import { requireMergeable } from './conflicts.ts'
import { rulesOf } from './kinds.ts'
import { planMerge } from './plan.ts'
import type { PlannedChange } from './change.ts'
import { withPublishedPages } from './published-pages.ts'
import { packageEvent, requireState, storeChanged, withPackage } from './record.ts'
import { requireOwnValues, requirePublishing, requireWritable } from './rights.ts'
import { hasMainMoved } from './sides.ts'

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
      return { planId: plan.planId, package: plainRecord(stored), changes: report }
    },
  })
  return withPublishedPages(call, merged)
}

/**
 * An open package may still be under review: after a rejection, or while its review is being
 * started.
 * Errors: `invalid_state` then.
 */
async function requireNoReview({ store, now }: Call, { id, name, state }: Package): Promise<void> {
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
    return { ...change, merged: { ...merged, published: 'head' } }
  })
  return Promise.all(all)
}

async function isPublishable(call: Call, { rules, head }: PlannedChange): Promise<boolean> {
  return (await rules.states?.isPublishable(call, head.type)) ?? false
}

/**
 * Errors: `not_publishable` with the issues of all heads. Each path starts with the id of its
 * entity.
 */
async function requirePublishable(call: Call, heads: readonly Entity[]): Promise<void> {
  const yieldToLoop = yieldingToLoop()
  const issues: Issue[] = []
  for (const head of heads) {
    const found = (await rulesOf(head.kind).states?.publishIssues(call, head)) ?? []
    issues.push(...found.map(({ path, message }) => ({ path: `${head.id}.${path}`, message })))
    await yieldToLoop()
  }
  if (issues.length > 0) throw new QuireError('not_publishable', undefined, { issues })
}
