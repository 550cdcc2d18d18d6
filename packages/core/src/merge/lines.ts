import { diff3Merge } from 'node-diff3'
import type { Json } from '../ports/index.ts'
import type { Sides } from './sides.ts'

// Pairs of equal lines that a comparison looks at. A tenth of a second at most; texts of thousands of equal lines would take minutes.
const mostPairs = 60_000

/**
 * Three texts merged line by line; null when they are not texts, when both changed the same lines differently, or when they repeat
 * so many lines that comparing them takes too long.
 */
export function mergeLines({ base, ours, theirs }: Sides<Json>): string | null {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return null
  const [mine, before, others] = [ours.split('\n'), base.split('\n'), theirs.split('\n')]
  if (pairsOf(before, mine) > mostPairs || pairsOf(before, others) > mostPairs) return null
  const regions = diff3Merge(mine, before, others, { excludeFalseConflicts: true })
  const lines: string[] = []
  for (const region of regions) {
    if (!region.ok) return null
    lines.push(...region.ok)
  }
  return lines.join('\n')
}

/** How many pairs of equal lines two texts have between them. */
function pairsOf(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>()
  for (const line of one) counts.set(line, (counts.get(line) ?? 0) + 1)
  return other.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0)
}
