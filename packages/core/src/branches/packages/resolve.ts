import type { Resolution } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { type EntityConflict, resolve, type ConflictResolution } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { type PlannedChange } from './change.ts'
import { refKey } from './sides.ts'

/** Conflicts that changes cause together on main, by `refKey`. */
export type ConflictsByEntity = ReadonlyMap<string, readonly EntityConflict[]>

/**
 * Applies resolutions to changes: first to the conflicts of each change alone, then to the
 * conflicts that the changes cause together. Those are searched for again after every round that
 * resolved one.
 * Errors: `invalid`, naming the resolution, when it names no change or no conflict, is given twice,
 * or takes a side that does not resolve a conflict of that kind.
 */
export async function resolveAll(
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
