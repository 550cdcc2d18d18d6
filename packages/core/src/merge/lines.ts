import { diff3Merge } from 'node-diff3'
import type { Json } from '../ports/index.ts'
import type { Sides } from './sides.ts'

/** Three texts merged line by line; null when they are not texts or both changed the same lines differently. */
export function mergeLines({ base, ours, theirs }: Sides<Json>): string | null {
  if (typeof base !== 'string' || typeof ours !== 'string' || typeof theirs !== 'string') return null
  const regions = diff3Merge(ours.split('\n'), base.split('\n'), theirs.split('\n'), {
    excludeFalseConflicts: true,
  })
  const lines: string[] = []
  for (const region of regions) {
    if (!region.ok) return null
    lines.push(...region.ok)
  }
  return lines.join('\n')
}
