import type { MergeConflict, Resolution } from '@quire/contract'
import type { Call } from '../../engine/call.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Scope } from '../../engine/scope.ts'
import {
  isSameSide,
  mergeEntity,
  type EntityConflict,
  type EntityMerge,
  resolve,
  type ConflictResolution,
} from '../../content/merge/entity.ts'
import { withoutStamps } from '../../content/items/content.ts'
import type { Strategy } from '../../content/merge/merge.ts'
import { conflictsOf, type ConflictsByEntity } from './find-conflicts.ts'
import { changedEntity, type PlannedChange } from './change.ts'
import { ownPages, sidesOn, type ChangeSides, refKey } from './sides.ts'
import { requireReadable } from './rights.ts'
import { digest } from '../../engine/digest.ts'
import { invalid } from '../../engine/check-input.ts'
import { isSame } from '../../engine/same.ts'
import { isJsonObject, type Json } from '../../ports/index.ts'

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

/** How the members of a change merge. */
export type Strategies = (change: ChangeSides) => Promise<(path: string) => Strategy>

/**
 * Merges one change on its own. When main no longer has its base, nobody can compute what each side
 * changed: different sides are then a conflict for a person to resolve.
 */
export async function mergeOne(sides: ChangeSides, strategies: Strategies): Promise<EntityMerge> {
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
export function strategiesByType(call: Call): Strategies {
  const known = new Map<string, Promise<(path: string) => Strategy>>()
  return ({ rules, head }) => {
    const { kind, type } = head
    const key = `${kind} ${type}`
    const found = known.get(key) ?? rules.strategies(call, head)
    known.set(key, found)
    return found
  }
}

/** A conflict as serialized in responses. */
export function serializeConflict(
  { head }: PlannedChange,
  { path, kind, base, ours, theirs }: EntityConflict,
): MergeConflict {
  const about = { entity: changedEntity(head), path, kind }
  if (path !== '') return { ...about, base, ours, theirs }
  const content = (side: Json) => (isJsonObject(side) ? withoutStamps(side) : side)
  return { ...about, base: content(base), ours: content(ours), theirs: content(theirs) }
}

/** A digest of the revisions of both sides of every change. */
function planIdOf(changes: readonly ChangeSides[]): Promise<string> {
  const states = changes.map(
    ({ head, mainHead }) => `${head.kind} ${head.id} ${head.revision} ${mainHead?.revision ?? 0}`,
  )
  return digest(states.join('\n'))
}

/**
 * Applies resolutions to changes: first to the conflicts of each change alone, then to the
 * conflicts that the changes cause together. Those are searched for again after every round that
 * resolved one.
 * Errors: `invalid`, naming the resolution, when it names no change or no conflict, is given twice,
 * or takes a side that does not resolve a conflict of that kind.
 */
async function resolveAll(
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
  findConflicts: (changes: readonly PlannedChange[]) => Promise<ConflictsByEntity>,
): Promise<readonly PlannedChange[]> {
  const open = openResolutions(changes, resolutions)
  const alone = changes.map((change) => resolveConflicts(change, change.conflicts, open))
  const { resolved, remaining } = await resolveTogether(alone, open, findConflicts)
  await requireUsable(open, () => findConflicts(changes))
  return resolved.map((change) => {
    const more = remaining.get(refKey(change.head))
    return more ? { ...change, conflicts: [...change.conflicts, ...more] } : change
  })
}

/**
 * Resolves conflicts between changes, and new ones that follow, until a round resolves nothing.
 * Uses each resolution once.
 */
async function resolveTogether(
  alone: readonly PlannedChange[],
  open: OpenResolutions,
  findConflicts: (changes: readonly PlannedChange[]) => Promise<ConflictsByEntity>,
): Promise<{ resolved: readonly PlannedChange[]; remaining: ConflictsByEntity }> {
  let resolved = alone
  for (;;) {
    const remaining = await findConflicts(resolved)
    const next = resolved.map((change) =>
      resolveConflicts(change, remaining.get(refKey(change.head)) ?? [], open),
    )
    if (next.every((change, index) => change === resolved[index])) return { resolved, remaining }
    resolved = next
  }
}

/**
 * An unused resolution is allowed if its conflict existed before other resolutions removed it.
 * Errors: `invalid` when there was no such conflict.
 */
async function requireUsable(
  open: OpenResolutions,
  findInitial: () => Promise<ConflictsByEntity>,
): Promise<void> {
  if (open.size === 0) return
  const initial = [...(await findInitial())].flatMap(([key, conflicts]) =>
    conflicts.map(({ path }) => `${key.slice(key.indexOf(' ') + 1)} ${path}`),
  )
  const known = new Set(initial)
  for (const [key, { index }] of open)
    if (!known.has(key))
      throw invalidResolution(index, 'path', 'resolves nothing: there is no conflict at that path')
}

interface OpenResolution {
  readonly index: number
  readonly by: ConflictResolution
}

/** Resolutions that are not used yet, by entity id and path. */
type OpenResolutions = Map<string, OpenResolution>

function openResolutions(
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
): OpenResolutions {
  const ids = new Set(changes.map(({ head }) => head.id))
  const open: OpenResolutions = new Map()
  for (const [index, { id, path, ...by }] of resolutions.entries()) {
    const key = `${id} ${path}`
    if (!ids.has(id)) throw invalidResolution(index, 'id', `the package contains no change to "${id}"`)
    if (open.has(key)) throw invalidResolution(index, 'path', 'is given twice')
    open.set(key, { index, by })
  }
  return open
}

function invalidResolution(index: number, member: string, message: string) {
  return invalid([{ path: `resolutions.${index}.${member}`, message }])
}

function resolveConflicts(
  change: PlannedChange,
  conflicts: readonly EntityConflict[],
  open: OpenResolutions,
): PlannedChange {
  let resolved = change
  for (const conflict of open.size === 0 ? [] : conflicts) {
    const key = `${change.head.id} ${conflict.path}`
    const found = open.get(key)
    if (!found) continue
    open.delete(key)
    requireFit(change, conflict, found)
    resolved = { ...resolved, ...resolve(resolved, { conflict, by: found.by, theirs: change.theirs }) }
    if ('value' in found.by) {
      requireShape(resolved, found)
      requireSides(resolved, found)
    }
  }
  return resolved
}

/** Errors: `invalid` when the value has the wrong shape for its member. */
function requireShape({ rules, merged }: PlannedChange, { index }: OpenResolution): void {
  const [issue] = merged ? rules.shapeIssues(merged.content) : []
  if (issue) throw invalidResolution(index, 'value', `${issue.path} ${issue.message}`)
}

/** Errors: `invalid` when the value sets a member that must come from one of the sides. */
function requireSides({ rules, ours, theirs, merged }: PlannedChange, { index }: OpenResolution): void {
  const given = rules.bySideOnly.find((member) => {
    const value = merged?.content[member] ?? null
    return ![ours, theirs].some((side) => side && isSame(side.content[member] ?? null, value))
  })
  if (given !== undefined)
    throw invalidResolution(index, 'value', `has a ${given} that neither side has: use "ours" or "theirs"`)
}

const sidesFor: Readonly<Partial<Record<EntityConflict['kind'], readonly string[]>>> = {
  changed: ['ours', 'theirs', 'value'],
  deleted_in_package: ['ours', 'theirs'],
  deleted_on_main: ['ours', 'theirs'],
  slug_taken: ['theirs', 'value'],
  value_taken: ['theirs', 'value'],
  missing_target: ['theirs', 'value'],
  cycle: ['theirs', 'value'],
  invalid: ['theirs', 'value'],
  referenced: ['theirs'],
}

// No value can be given for the whole entity or for what is published.
const onlyBySide: ReadonlySet<string> = new Set(['', 'publishedVersion'])

/** Errors: `invalid` when the resolution cannot resolve a conflict of that kind. */
function requireFit(change: PlannedChange, conflict: EntityConflict, { index, by }: OpenResolution): void {
  const given = 'use' in by ? by.use : 'value'
  const allowed = (sidesFor[conflict.kind] ?? []).filter(
    (side) => !onlyBySide.has(conflict.path) || side !== 'value',
  )
  if (!allowed.includes(given))
    throw invalidResolution(
      index,
      'use' in by ? 'use' : 'value',
      `a conflict of the kind ${conflict.kind} can only be resolved by ${allowed.join(' or ')}`,
    )
  if (given === 'theirs' && conflict.path !== '' && !change.theirs)
    throw invalidResolution(index, 'use', 'main does not have this entity: give a value')
}
