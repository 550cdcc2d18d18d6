import type { Resolution } from '@quire/contract'
import { invalid } from '../../engine/check-input.ts'
import { type EntityConflict, resolve, type Settlement } from '../../content/merge/entity.ts'
import { isSame } from '../../engine/same.ts'
import { type PlannedChange } from './change.ts'
import { refKey } from './sides.ts'

/** What changes come to on main together: conflicts by `refKey`. */
export type ConflictsByEntity = ReadonlyMap<string, readonly EntityConflict[]>

/**
 * The changes with their conflicts settled: first what each has for itself, then what they come to together, which is looked for
 * anew as long as something was settled. Errors: `invalid` naming the resolution that names no change or no conflict, is given twice, or
 * takes a side where only another helps.
 */
export async function resolveAll(
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
  findConflicts: (changes: readonly PlannedChange[]) => Promise<ConflictsByEntity>,
): Promise<readonly PlannedChange[]> {
  const open = openResolutions(changes, resolutions)
  const alone = changes.map((change) => resolveEach(change, change.conflicts, open))
  const { settled, left } = await resolveTogether(alone, open, findConflicts)
  await requireMeant(open, () => findConflicts(changes))
  return settled.map((change) => {
    const more = left.get(refKey(change.head))
    return more ? { ...change, conflicts: [...change.conflicts, ...more] } : change
  })
}

/** Settles what changes come to together, and what comes of that, until nothing more is settled: each resolution is used once. */
async function resolveTogether(
  alone: readonly PlannedChange[],
  open: OpenResolutions,
  findConflicts: (changes: readonly PlannedChange[]) => Promise<ConflictsByEntity>,
): Promise<{ settled: readonly PlannedChange[]; left: ConflictsByEntity }> {
  let settled = alone
  for (;;) {
    const left = await findConflicts(settled)
    const next = settled.map((change) => resolveEach(change, left.get(refKey(change.head)) ?? [], open))
    if (next.every((change, index) => change === settled[index])) return { settled, left }
    settled = next
  }
}

/** What is left over may be about a conflict that others have settled with theirs. Errors: `invalid` when it is about none. */
async function requireMeant(
  open: OpenResolutions,
  unsettled: () => Promise<ConflictsByEntity>,
): Promise<void> {
  if (open.size === 0) return
  const opposed = [...(await unsettled())].flatMap(([key, found]) =>
    found.map(({ path }) => `${key.slice(key.indexOf(' ') + 1)} ${path}`),
  )
  const known = new Set(opposed)
  for (const [key, { index }] of open)
    if (!known.has(key)) throw wrong(index, 'path', 'settles nothing: there is no conflict at that path')
}

interface Open {
  readonly index: number
  readonly by: Settlement
}

/** Resolutions that are not used yet, by entity and path. */
type OpenResolutions = Map<string, Open>

function openResolutions(
  changes: readonly PlannedChange[],
  resolutions: readonly Resolution[],
): OpenResolutions {
  const ids = new Set(changes.map(({ head }) => head.id))
  const open: OpenResolutions = new Map()
  for (const [index, { id, path, ...by }] of resolutions.entries()) {
    const key = `${id} ${path}`
    if (!ids.has(id)) throw wrong(index, 'id', `the package holds no change of "${id}"`)
    if (open.has(key)) throw wrong(index, 'path', 'is given twice')
    open.set(key, { index, by })
  }
  return open
}

function wrong(index: number, member: string, message: string) {
  return invalid([{ path: `resolutions.${index}.${member}`, message }])
}

function resolveEach(
  change: PlannedChange,
  conflicts: readonly EntityConflict[],
  open: OpenResolutions,
): PlannedChange {
  let settled = change
  for (const conflict of open.size === 0 ? [] : conflicts) {
    const key = `${change.head.id} ${conflict.path}`
    const found = open.get(key)
    if (!found) continue
    open.delete(key)
    requireFit(change, conflict, found)
    settled = { ...settled, ...resolve(settled, { conflict, by: found.by, theirs: change.theirs }) }
    if ('value' in found.by) {
      requireShape(settled, found)
      requireSides(settled, found)
    }
  }
  return settled
}

/** Errors: `invalid` when the value cannot be one of that member. */
function requireShape({ rules, merged }: PlannedChange, { index }: Open): void {
  const [issue] = merged ? rules.misshapes(merged.content) : []
  if (issue) throw wrong(index, 'value', `${issue.path} ${issue.message}`)
}

/** Errors: `invalid` when the value has a member that only a side can give. */
function requireSides({ rules, ours, theirs, merged }: PlannedChange, { index }: Open): void {
  const given = rules.bySideOnly.find((member) => {
    const value = merged?.content[member] ?? null
    return ![ours, theirs].some((side) => side && isSame(side.content[member] ?? null, value))
  })
  if (given !== undefined)
    throw wrong(index, 'value', `has a ${given} that neither side has: settle it by a side`)
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

// Of the whole entity, and of what is published, nobody gives a value.
const onlyBySide: ReadonlySet<string> = new Set(['', 'publishedVersion'])

/** Errors: `invalid` when the resolution cannot settle a conflict of that kind. */
function requireFit(change: PlannedChange, conflict: EntityConflict, { index, by }: Open): void {
  const given = 'use' in by ? by.use : 'value'
  const takes = (sidesFor[conflict.kind] ?? []).filter(
    (side) => !onlyBySide.has(conflict.path) || side !== 'value',
  )
  if (!takes.includes(given))
    throw wrong(
      index,
      'use' in by ? 'use' : 'value',
      `a conflict of the kind ${conflict.kind} is settled by ${takes.join(' or ')}`,
    )
  if (given === 'theirs' && conflict.path !== '' && !change.theirs)
    throw wrong(index, 'use', 'main does not have it: give a value')
}
