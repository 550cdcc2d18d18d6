import type { MergeConflict, Resolution } from '@quire/contract'
import type { Call } from '../call/call.ts'
import { takingTurns } from '../call/turns.ts'
import type { Place } from '../lines/lines.ts'
import { isSameSide, mergeEntity, type EntityConflict, type EntityMerge } from '../merge/entity.ts'
import type { Strategy } from '../merge/merge.ts'
import { clashesOf } from './clashes.ts'
import { changedEntity } from './change.ts'
import { ownPages } from './own-heads.ts'
import { planIdOf } from './plan-id.ts'
import type { PlannedChange } from './planned-change.ts'
import { requireReadable } from './rights.ts'
import { settleAll } from './settle.ts'
import { sidesOn, type ChangeSides } from './sides.ts'

/** What a merge would do. */
export interface Plan {
  /** Names the state of both sides. */
  readonly planId: string
  readonly changes: readonly PlannedChange[]
  readonly conflicts: readonly MergeConflict[]
}

/**
 * What merging a package would do, with the conflicts that resolutions settle taken out. Only reads.
 * Errors: `forbidden` when the caller may not read all of it; `invalid` for a resolution that settles nothing.
 */
export async function planMerge(call: Call, place: Place, resolutions: readonly Resolution[]): Promise<Plan> {
  const merged = await mergeChanges(call, place)
  requireReadable(call, merged)
  const changes = await settleAll(merged, resolutions, (changed) => clashesOf(call, place, changed))
  const conflicts = changes.flatMap((change) => change.conflicts.map((conflict) => named(change, conflict)))
  return { planId: await planIdOf(merged), changes, conflicts }
}

/** Every change of the package, merged three ways, each for itself. */
async function mergeChanges(call: Call, place: Place): Promise<PlannedChange[]> {
  const { entities } = call.store
  const turn = takingTurns()
  const strategies = strategiesByType(call)
  const planned: PlannedChange[] = []
  for await (const page of ownPages(entities, place.line)) {
    for await (const sides of sidesOn(entities, place, page)) {
      planned.push({ ...sides, ...(await mergeOne(sides, strategies)) })
      await turn()
    }
  }
  return planned
}

type Strategies = (change: ChangeSides) => Promise<(path: string) => Strategy>

/** A change merged for itself. What it started from may be gone from main: then only a person can tell what either side changed. */
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

/** How the members of a change merge, looked up once for each type. */
function strategiesByType(call: Call): Strategies {
  const known = new Map<string, Promise<(path: string) => Strategy>>()
  return ({ rules, head: { kind, type } }) => {
    const key = `${kind} ${type}`
    const found = known.get(key) ?? rules.strategies(call, type)
    known.set(key, found)
    return found
  }
}

function named({ head }: PlannedChange, { path, kind, base, ours, theirs }: EntityConflict): MergeConflict {
  return { entity: changedEntity(head), path, kind, base, ours, theirs }
}
