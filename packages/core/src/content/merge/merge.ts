import type { Conflict } from '@quire/contract'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { isSame } from '../../engine/same.ts'
import type { Sides } from './changes.ts'
import { diff3Merge } from 'node-diff3'

/**
 * How the values at a path merge: as one value (an object member by member), as a whole whatever it is, as a set of values, or text
 * line by line.
 */
export type Strategy = 'value' | 'whole' | 'set' | 'lines'

/** What comes of a merge. With conflicts, `merged` holds ours at their paths. */
interface Merge {
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

/** Ours, without what they removed, with what they added at the end. Null is an empty list. */
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

/** Sets are of ids. Anything else is refused by its field, and told apart by how it is written. */
function keyOf(entry: Json): string {
  return JSON.stringify(entry)
}

// Pairs of equal lines, beyond those of each line with itself, that a comparison looks at: texts of thousands of equal lines would take minutes.
const mostPairs = 20_000

// The squares of the lines of all parts that are compared: what the comparison takes grows with them. As many are some 30 ms.
const mostSquares = 4000 ** 2

// Lines of a text: to part and count as many takes some 30 ms.
const mostLines = 30_000

// Of longer texts, what stands between lines that all three have once is compared by itself.
const compared = 1000

/**
 * Three texts merged line by line; null when they are not texts, when both changed the same lines differently, or when comparing them takes
 * too long.
 */
function mergeLines({ base, ours, theirs }: Sides<Json>): string | null {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return null
  const sides = { base: linesOf(base), ours: linesOf(ours), theirs: linesOf(theirs) }
  if (Object.values(sides).some((list) => list.length > mostLines)) return null
  const parts = longest(sides) > compared ? partedAtAnchors(sides) : [sides]
  if (parts.reduce((sum, part) => sum + longest(part) ** 2, 0) > mostSquares) return null
  if (parts.reduce((sum, part) => sum + pairsIn(part), 0) > mostPairs) return null
  const merged: string[] = []
  for (const part of parts) {
    const lines = mergedPart(part)
    if (lines === null) return null
    for (const line of lines) merged.push(line)
  }
  return merged.join('\n')
}

function mergedPart(part: LineSides): readonly string[] | null {
  if (longest(part) === 1 && isAlike(part)) return part.base
  const { base, ours, theirs } = part
  const regions = diff3Merge([...ours], [...base], [...theirs], { excludeFalseConflicts: true })
  return regions.every(({ ok }) => ok) ? regions.flatMap(({ ok = [] }) => ok) : null
}

/** One more than are merged is enough to tell. */
function linesOf(text: string): string[] {
  return text.split('\n', mostLines + 1)
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
 * Three texts in parts that follow one another: a line that each has once, in the same order, ends a part. What stands between two of them in
 * one text is compared with what stands there in the others, so that long texts with few changes are compared in time that grows with them.
 */
function partedAtAnchors({ base, ours, theirs }: LineSides): LineSides[] {
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

/** Where each line stands; -1 for one that stands there more than once. */
function positionsOf(lines: readonly string[]): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  for (const [at, line] of lines.entries()) positions.set(line, positions.has(line) ? -1 : at)
  return positions
}
