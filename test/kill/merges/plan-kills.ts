import { points, type Point } from './points.ts'

/**
 * A planned kill of a merge with `size` changes: at a point, or at a fraction of the merge's
 * duration.
 */
export interface PlannedKill {
  readonly size: number
  readonly when: { readonly point: Point } | { readonly fraction: number }
}

const sizes = [10, 500, 5000] as const
// Sizes of random kills. Half of them are 500, the best compromise between a long merge and a short
// test.
const randomSizes = [500, 5000, 500, 10] as const
// A merge takes longer beside another one than when it was measured alone. A merge that answers
// earlier is killed at once.
const latest = 1.4

/**
 * Three fifths of the kills happen at the six points in rotation, one size after another. The
 * others happen at random times.
 */
export function planKills(count: number): PlannedKill[] {
  const atPoints = Math.round((count * 0.6) / points.length) * points.length
  const random = Array.from({ length: count - atPoints }, (_, index) => randomSizes[index % 4] ?? 10)
  return [
    ...Array.from({ length: atPoints }, (_, index) => pointKill(index)),
    ...random.map((size, index) => randomKill(random, size, index)),
  ]
}

function pointKill(index: number): PlannedKill {
  const size = sizes[Math.floor(index / points.length) % sizes.length] ?? 10
  return { size, when: { point: points[index % points.length] ?? 'sent' } }
}

/**
 * Divides the duration of a merge into as many intervals as there are kills of its size, and picks
 * a random time in each.
 */
function randomKill(all: readonly number[], size: number, index: number): PlannedKill {
  const pieces = all.filter((other) => other === size).length
  const piece = all.slice(0, index).filter((other) => other === size).length
  return { size, when: { fraction: ((piece + Math.random()) / pieces) * latest } }
}
