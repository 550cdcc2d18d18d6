import type { diffArrays } from 'diff'

/** Runs of two lists of numbers that are equal or not, in order; undefined: it would take more work than is left. */
export type Differ = (before: readonly number[], after: readonly number[]) => readonly Run[] | undefined

/** Numbers of both lists (equal), of the first (removed) or of the second (added). */
export interface Run {
  readonly count: number
  readonly added: boolean
  readonly removed: boolean
}

/** The comparison of the library. */
export type DiffArrays = typeof diffArrays

/**
 * Edits of one comparison, and steps of all comparisons of a page: a comparison of d edits takes d² steps at most. Measured: 4 million
 * steps are 0.2 s. At twice as many a page of another text takes 0.4 s longer; at half as many long lists are marked more coarsely.
 */
const MOST_EDITS = 1000
const MOST_STEPS = 4_000_000

/** The differ of one page: past its bounds it gives up. The same pages are always compared the same way, however slow the machine is. */
export function createDiffer(compare: DiffArrays): Differ {
  let left = MOST_STEPS
  return (before, after) => {
    const maxEditLength = Math.min(MOST_EDITS, Math.floor(Math.sqrt(left)))
    const runs = compare([...before], [...after], { maxEditLength })
    const edits = runs ? changed(runs) : maxEditLength
    left -= Math.min(left, edits * edits)
    return runs
  }
}

function changed(runs: readonly Run[]): number {
  return runs.reduce((sum, { count, added, removed }) => sum + (added || removed ? count : 0), 0)
}
