import type { Conflict } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { isSame } from '../../engine/same.ts'
import type { Sides } from './changes.ts'
import { diff3Merge } from 'node-diff3'

/**
 * How the values at a path merge. `value`: as one value, except that objects merge member by
 * member. `whole`: as one value, even objects. `set`: as a set of values. `lines`: as text, line by
 * line. `entries`: as one value, but blocks that all sides have in the same order merge member by
 * member, for translations into different locales.
 */
export type Strategy = 'value' | 'whole' | 'set' | 'lines' | 'entries'

/** The result of a merge. At the paths of conflicts, `merged` contains our values. */
interface Merge {
  readonly merged: JsonObject
  readonly conflicts: readonly Conflict[]
}

/**
 * Merges objects three ways, member by member. A change of one side is applied, an equal change of
 * both sides is applied once, and different changes of both sides are a conflict at that path.
 * Absent and null are equal.
 *
 * Laws: merge(b,b,t) = t; merge(b,o,b) = o; merge(b,x,x) = x; edits of different members commute;
 * no change is dropped without a conflict. Source: DESIGN "Packages".
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
    strategy !== 'entries' &&
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

/** Merges two values that differ from the base and from each other. Null if they conflict. */
function mergeWithin(sides: Sides<Json>, strategy: Strategy): Json {
  if (strategy === 'set') return areLists(sides) ? mergeSets(sides) : null
  if (strategy === 'entries') return mergeEntries(sides)
  return strategy === 'lines' ? mergeLines(sides) : null
}

/** Merges blocks, or one block, of the same types in the same order. Null if they conflict. */
function mergeEntries({ base, ours, theirs }: Sides<Json>): Json {
  const lists = { base: entriesOf(base), ours: entriesOf(ours), theirs: entriesOf(theirs) }
  const types = Object.values(lists).map((list) => list?.map((entry) => entry['type'] ?? null))
  if (!types.every((list) => list && isSame(list, types[0] ?? []))) return null
  const merges = (lists.ours ?? []).map((mine, index) =>
    mergeObjects(
      { base: lists.base?.[index] ?? {}, ours: mine, theirs: lists.theirs?.[index] ?? {} },
      () => 'value',
    ),
  )
  if (merges.some(({ conflicts }) => conflicts.length > 0)) return null
  const merged = merges.map((merge) => merge.merged)
  return Array.isArray(ours) ? merged : (merged[0] ?? null)
}

/** The objects in a value; null if it contains anything else. */
function entriesOf(value: Json): readonly JsonObject[] | null {
  const entries = Array.isArray(value) ? value : [value]
  return entries.every(isJsonObject) ? entries : null
}

function areLists({ base, ours, theirs }: Sides<Json>): boolean {
  return [base, ours, theirs].every((side) => side === null || Array.isArray(side))
}

/**
 * Our list without the entries they removed, followed by the entries they added. Null counts as an
 * empty list.
 */
function mergeSets({ base, ours, theirs }: Sides<Json>): Json {
  const [before, mine, others] = [keysOf(base), keysOf(ours), keysOf(theirs)]
  const stored = listOf(ours).filter((entry) => others.has(keyOf(entry)) || !before.has(keyOf(entry)))
  const added = listOf(theirs).filter((entry) => !before.has(keyOf(entry)) && !mine.has(keyOf(entry)))
  return [...stored, ...added]
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function keysOf(list: Json): ReadonlySet<string> {
  return new Set(listOf(list).map(keyOf))
}

/**
 * The identity of an entry. Sets contain ids. Other values, which the field will reject, are
 * compared by their JSON text.
 */
function keyOf(entry: Json): string {
  return JSON.stringify(entry)
}

// Pairs of equal lines that a comparison may consider, not counting each line with itself.
// Comparing texts of thousands of equal lines would take minutes.
const maxPairs = 20_000

// The sum over all compared parts of their line counts squared, to which the time is proportional.
// At this limit the comparison takes about 30 ms.
const maxSquares = 4000 ** 2

// Lines of a text. Splitting and counting this many takes about 30 ms.
const maxLines = 30_000

// Lines. Longer texts are split into parts that are compared separately (see `splitAtAnchors`).
const maxUnsplit = 1000

/**
 * Merges three texts line by line. Null if they are not texts, if both sides changed the same lines
 * differently, or if comparing them would take too long.
 */
function mergeLines({ base, ours, theirs }: Sides<Json>): string | null {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return null
  const sides = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) }
  if (Object.values(sides).some((list) => list.length > maxLines)) return null
  const parts = longest(sides) > maxUnsplit ? splitAtAnchors(sides) : [sides]
  if (parts.reduce((sum, part) => sum + longest(part) ** 2, 0) > maxSquares) return null
  if (parts.reduce((sum, part) => sum + pairsIn(part), 0) > maxPairs) return null
  const merged: string[] = []
  for (const part of parts) {
    const lines = mergePart(part)
    if (lines === null) return null
    for (const line of lines) merged.push(line)
  }
  return merged.join('\n')
}

function mergePart(part: LineSides): readonly string[] | null {
  if (longest(part) === 1 && isAlike(part)) return part.base
  const { base, ours, theirs } = part
  const regions = diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true })
  return regions.every(({ ok }) => ok) ? regions.flatMap(({ ok = [] }) => ok) : null
}

/** Splits a text into lines, up to one more than the limit. */
function linesOf(text: string): string[] {
  return text.split('\n', maxLines + 1)
}

function isAlike({ base, ours, theirs }: LineSides): boolean {
  return base.length === 1 && base[0] === ours[0] && base[0] === theirs[0]
}

function longest({ base, ours, theirs }: LineSides): number {
  return Math.max(base.length, ours.length, theirs.length)
}

function pairsIn({ base, ours, theirs }: LineSides): number {
  const counts = new Map<string, number>()
  for (const line of base) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...ours, ...theirs].reduce((sum, line) => sum + Math.max(0, (counts.get(line) ?? 0) - 1), 0)
}

/** The lines of three texts. */
type LineSides = Sides<readonly string[]>

/**
 * Splits three texts into corresponding parts. A part ends with an anchor: a line that occurs
 * exactly once in each text, with the anchors in the same order. So long texts with few changes are
 * compared in linear time.
 */
function splitAtAnchors({ base, ours, theirs }: LineSides): LineSides[] {
  const [inBase, inOurs, inTheirs] = [base, ours, theirs].map(positionsOf)
  const parts: LineSides[] = []
  let from = { base: 0, ours: 0, theirs: 0 }
  for (const [line, at] of inBase ?? []) {
    const mine = inOurs?.get(line) ?? -1
    const other = inTheirs?.get(line) ?? -1
    if (at < 0 || mine < from.ours || other < from.theirs) continue
    const to = { base: at + 1, ours: mine + 1, theirs: other + 1 }
    parts.push(partOf({ base, ours, theirs }, from, to))
    from = to
  }
  const end = { base: base.length, ours: ours.length, theirs: theirs.length }
  return [...parts, partOf({ base, ours, theirs }, from, end)]
}

function partOf(lines: LineSides, from: Sides<number>, to: Sides<number>): LineSides {
  return {
    base: lines.base.slice(from.base, to.base),
    ours: lines.ours.slice(from.ours, to.ours),
    theirs: lines.theirs.slice(from.theirs, to.theirs),
  }
}

/** The index of each line; -1 for a line that occurs more than once. */
function positionsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  for (const [at, line] of lines.entries()) positions.set(line, positions.has(line) ? -1 : at)
  return positions
}
