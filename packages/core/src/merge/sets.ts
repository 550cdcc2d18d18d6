import type { Json } from '../ports/index.ts'
import { isSame } from './same.ts'
import type { Sides } from './sides.ts'

/** Ours, without what they removed, with what they added at the end. Null is an empty list. */
export function mergeSets({ base, ours, theirs }: Sides<Json>): Json {
  const [before, mine, others] = [listOf(base), listOf(ours), listOf(theirs)]
  const kept = mine.filter((entry) => holds(others, entry) || !holds(before, entry))
  const added = others.filter((entry) => !holds(before, entry) && !holds(mine, entry))
  return [...kept, ...added]
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function holds(list: readonly Json[], value: Json): boolean {
  return list.some((entry) => isSame(entry, value))
}
