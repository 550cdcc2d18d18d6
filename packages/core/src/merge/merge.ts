import type { Conflict } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../ports/index.ts'
import { isSame } from './same.ts'
import { mergeLines } from './lines.ts'
import { mergeSets } from './sets.ts'
import type { Sides } from './sides.ts'

/**
 * How the values at a path merge: as one value (an object member by member), as a whole whatever it is, as a set of values, or text
 * line by line.
 */
export type Strategy = 'value' | 'whole' | 'set' | 'lines'

/** What comes of a merge. With conflicts, `merged` holds ours at their paths. */
export interface Merge {
  readonly merged: JsonObject
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges objects member by member, three ways: what one side changed is taken, what both changed alike is taken once, what both
 * changed differently is a conflict at its path. Absent and null are the same.
 *
 * Laws: merge(b,b,t) = t; merge(b,o,b) = o; merge(b,x,x) = x; edits of different members commute; no change is dropped
 * without a conflict. Source: DESIGN "Packages".
 */
export function mergeObjects(
  sides: Sides<JsonObject>,
  strategyOf: (path: string) => Strategy,
  path = '',
): Merge {
  const names = new Set([
    ...Object.keys(sides.base),
    ...Object.keys(sides.theirs),
    ...Object.keys(sides.ours),
  ])
  const members: [string, Json][] = []
  const conflicts: Conflict[] = []
  for (const name of names) {
    const here = path === '' ? name : `${path}.${name}`
    const merge = mergeValues(at(sides, name), strategyOf, here)
    conflicts.push(...merge.conflicts)
    if (merge.merged !== null) members.push([name, merge.merged])
  }
  return { merged: Object.fromEntries(members), conflicts }
}

function at({ base, ours, theirs }: Sides<JsonObject>, name: string): Sides<Json> {
  const member = (object: JsonObject) => (Object.hasOwn(object, name) ? (object[name] ?? null) : null)
  return { base: member(base), ours: member(ours), theirs: member(theirs) }
}

interface ValueMerge {
  readonly merged: Json
  readonly conflicts: readonly Conflict[]
}

function mergeValues(sides: Sides<Json>, strategyOf: (path: string) => Strategy, path: string): ValueMerge {
  const { base, ours, theirs } = sides
  if (isSame(ours, theirs) || isSame(base, theirs)) return { merged: ours, conflicts: [] }
  if (isSame(base, ours)) return { merged: theirs, conflicts: [] }
  const strategy = strategyOf(path)
  if (
    strategy !== 'whole' &&
    isJsonObject(ours) &&
    isJsonObject(theirs) &&
    (isJsonObject(base) || base === null)
  ) {
    return mergeObjects({ base: base ?? {}, ours, theirs }, strategyOf, path)
  }
  const merged = mergeWithin(sides, strategy)
  if (merged !== null) return { merged, conflicts: [] }
  return { merged: ours, conflicts: [{ path, base, yours: ours, theirs }] }
}

/** One value of two that differ from the base and each other; null when they conflict. */
function mergeWithin(sides: Sides<Json>, strategy: Strategy): Json {
  if (strategy === 'set') return areLists(sides) ? mergeSets(sides) : null
  return strategy === 'lines' ? mergeLines(sides) : null
}

function areLists({ base, ours, theirs }: Sides<Json>): boolean {
  return [base, ours, theirs].every((side) => side === null || Array.isArray(side))
}
