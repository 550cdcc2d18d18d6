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
 * Merges a package into main: every change or none, one head for each entity (DESIGN "Packages").
 * Errors: `not_found`, `forbidden`, `precondition_failed`, `invalid_state` unless it is open or completed, `plan_stale`,
 * `merge_conflict`, `not_publishable`, `invalid` for a resolution that settles nothing.
 */
export async function mergePackage(
  call: Call,
  { resolutions, planId, publish, ...ref }: Input,
): Promise<MergeReport> {
  const merged = await withPackage(call, ref, {
    key: 'packages.merge',
    async work(call, scope) {
      const { package: found } = scope
      requireState(found, ['open', 'completed'], 'only an open or completed package is merged')
      await requireNoReview(call, found)
      const plan = await planMerge(call, scope, resolutions)
      requireMergeable(plan, planId)
      requireOwnValues(call, plan.changes, resolutions)
      const planned = publish ? await publishing(call, plan.changes) : plan.changes
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

/** A rejected package is open for changes, and still under review; one whose start is being asked may be. Errors: `invalid_state`. */
async function requireNoReview({ store, now }: Call, { id, name, state }: Package): Promise<void> {
  const review = state === 'open' ? await store.records.get('workflow', id) : null
  if (!review || !(isGoingOn(review) || isBeingAsked(review, now))) return
  throw new QuireError(
    'invalid_state',
    `The package "${name}" is under review: it can be merged once that has ended.`,
  )
}

function isGoingOn({ info }: Stored<'workflow'>): boolean {
  return info !== null && info.completedAt === undefined
}

/** Ms after which nobody asks an engine again, whatever became of the one that asked. */
const askedFor = 15 * 60 * 1000

function isBeingAsked({ pending }: Stored<'workflow'>, now: number): boolean {
  return pending?.isGivenUp === false && pending.until + askedFor > now
}

/**
 * The same changes, each of them to be published whose type is published at all. What the package only took along is published as
 * the package shows it: not what main made of it since.
 */
async function publishing(call: Call, changes: readonly PlannedChange[]): Promise<PlannedChange[]> {
  const all = changes.map(async (change): Promise<PlannedChange> => {
    const { merged, base, ours } = change
    const isAlong = base !== null && isSame(base.content, ours.content) && hasMainMoved(change)
    if (!isLive(merged) || merged.archived || isAlong || !(await isPublishable(call, change))) return change
    return { ...change, merged: { ...merged, published: 'head' } }
  })
  return Promise.all(all)
}

async function isPublishable(call: Call, { rules, head }: PlannedChange): Promise<boolean> {
  return (await rules.states?.isPublishable(call, head.type)) ?? false
}

/** Errors: `not_publishable` with the issues of every head, each path under the id of its entity. */
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
