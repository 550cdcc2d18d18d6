import { countFindings } from './finding.ts'
import type { Killed } from './kill-merge.ts'
import { findingsOf } from './run-merges.ts'

/** Totals of all kills. */
export interface Figures {
  /** Merges that took effect in the end, and the journal's count of them. */
  readonly merges: number
  readonly journalled: number
  /** Items that the merges updated or created, and their new versions. */
  readonly changed: number
  readonly versions: number
}

/** Adds up the contents of the files at the end. */
export function figuresOf(killed: readonly Killed[]): Figures {
  const sum = (figure: (one: Killed) => number) => killed.reduce((total, one) => total + figure(one), 0)
  return {
    merges: sum(({ last }) => Number(last.state === 'merged')),
    journalled: sum(({ last }) => last.journalled),
    changed: sum(({ size }) => size - deletes(size)),
    versions: sum(({ last }) => last.versions),
  }
}

/** One of ten changes is a delete, which creates no version. */
function deletes(size: number): number {
  return Math.max(1, Math.floor(size / 10))
}

/** `20 kills (12 at 6 points, 8 at random), …` */
export function mergeSummary(killed: readonly Killed[]): string {
  const atPoints = killed.flatMap(({ moment }) => ('point' in moment ? [moment.point] : []))
  const count = (wanted: (one: Killed) => boolean) => killed.filter(wanted).length
  const sizes = [...new Set(killed.map(({ size }) => size))].sort((a, b) => a - b)
  const { merges, journalled, changed, versions } = figuresOf(killed)
  return [
    `${killed.length} kills of merges (${atPoints.length} at ${new Set(atPoints).size} points, ${killed.length - atPoints.length} at random;`,
    `${sizes.map((size) => `${count((one) => one.size === size)} of ${size}`).join(', ')} changes):`,
    `${count(({ effect }) => effect === 'none')} had no effect, ${count(({ effect }) => effect === 'all')} took full effect,`,
    `${count(({ isAcknowledged }) => isAcknowledged)} acknowledged; ${countFindings(findingsOf(killed))};`,
    `PACKAGE_MERGED ${journalled} for ${merges} merges, ${versions} new versions for ${changed} changed items;`,
    `max unready ${(Math.max(0, ...killed.map(({ unready }) => unready)) / 1000).toFixed(1)} s`,
  ].join(' ')
}
