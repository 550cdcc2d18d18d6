import { points, type Point } from './points.ts'

/** A kill to come: of a merge of so many changes, at a point, or at a fraction of the time that it takes. */
export interface PlannedKill {
  readonly size: number
  readonly when: { readonly point: Point } | { readonly fraction: number }
}

const sizes = [10, 500, 5000] as const
// Of random kills two at 500, where there is most to hit for the time it takes.
const randomSizes = [500, 5000, 500, 10] as const
// A merge takes longer beside another than it was measured alone; what was answered before its time is killed at once.
const latest = 1.4

/** Of so many kills three fifths go to the six points, each in turn and all at one size before the next, the others to random times. */
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

/** The time of a merge is cut into as many pieces as there are kills of its size: one at random in each. */
function randomKill(all: readonly number[], size: number, index: number): PlannedKill {
  const pieces = all.filter((other) => other === size).length
  const piece = all.slice(0, index).filter((other) => other === size).length
  return { size, when: { fraction: ((piece + Math.random()) / pieces) * latest } }
}
