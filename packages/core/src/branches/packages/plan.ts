import type { MergeConflict, Resolution } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Scope } from '../../engine/scope.ts'
import { isSameSide, mergeEntity, type EntityConflict, type EntityMerge } from '../../content/merge/entity.ts'
import type { Strategy } from '../../content/merge/merge.ts'
import { conflictsOf } from './find-conflicts.ts'
import { changedEntity, type PlannedChange } from './change.ts'
import { ownPages, sidesOn, type ChangeSides } from './sides.ts'
import { requireReadable } from './rights.ts'
import { resolveAll } from './resolve.ts'
import { digest } from '../../engine/digest.ts'

/** What a merge would do. */
export interface Plan {
  /** Identifies the state of both sides: it changes as soon as either side does. */
  readonly planId: string
  readonly changes: readonly PlannedChange[]
  readonly conflicts: readonly MergeConflict[]
}

/**
 * Plans the merge of a package: its merged changes, and the conflicts that the resolutions leave
 * open. Only reads. Errors: `forbidden` when the caller may not read every change; `invalid` for a
 * resolution that resolves nothing.
 */
export async function planMerge(call: Call, scope: Scope, resolutions: readonly Resolution[]): Promise<Plan> {
  const merged = await mergeChanges(call, scope)
  requireReadable(call, merged)
  const changes = await resolveAll(merged, resolutions, (changed) => conflictsOf(call, scope, changed))
  const conflicts = changes.flatMap((change) =>
    change.conflicts.map((conflict) => serializeConflict(change, conflict)),
  )
  return { planId: await planIdOf(merged), changes, conflicts }
}

/** Every change of the package, each merged three ways on its own. */
async function mergeChanges(call: Call, scope: Scope): Promise<PlannedChange[]> {
  const { entities } = call.store
  const yieldToLoop = yieldingToLoop()
  const strategies = strategiesByType(call)
  const planned: PlannedChange[] = []
  for await (const page of ownPages(entities, scope.branch)) {
    for await (const sides of sidesOn(entities, scope, page)) {
      planned.push({ ...sides, ...(await mergeOne(sides, strategies)) })
      await yieldToLoop()
    }
  }
  return planned
}

type Strategies = (change: ChangeSides) => Promise<(path: string) => Strategy>

/**
 * Merges one change on its own. When main no longer has its base, nobody can compute what each side
 * changed: different sides are then a conflict for a person to resolve.
 */
async function mergeOne(sides: ChangeSides, strategies: Strategies): Promise<EntityMerge> {
  const { base, ours, theirs, isBaseLost } = sides
  if (!base && ours.deleted) return { merged: theirs, conflicts: [] }
  if (!isBaseLost || !theirs) return mergeEntity(sides, await strategies(sides))
  if (isSameSide(ours, theirs)) return { merged: theirs, conflicts: [] }
  const conflict = {
    path: '',
    kind: 'changed' as const,
    base: null,
    ours: ours.content,
    theirs: theirs.content,
  }
  return { merged: ours, conflicts: [conflict] }
}

/** How the members of a change merge, looked up once per type. */
function strategiesByType(call: Call): Strategies {
  const known = new Map<string, Promise<(path: string) => Strategy>>()
  return ({ rules, head: { kind, type } }) => {
    const key = `${kind} ${type}`
    const found = known.get(key) ?? rules.strategies(call, type)
    known.set(key, found)
    return found
  }
}

function serializeConflict(
  { head }: PlannedChange,
  { path, kind, base, ours, theirs }: EntityConflict,
): MergeConflict {
  return { entity: changedEntity(head), path, kind, base, ours, theirs }
}

/** A digest of the revisions of both sides of every change. */
function planIdOf(changes: readonly ChangeSides[]): Promise<string> {
  const states = changes.map(
    ({ head, mainHead }) => `${head.kind} ${head.id} ${head.revision} ${mainHead?.revision ?? 0}`,
  )
  return digest(states.join('\n'))
}
