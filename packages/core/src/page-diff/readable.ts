import { type Step, joinSteps } from './align.ts'
import type { Piece } from './pieces.ts'

/**
 * Steps as people read them: a sentence of which almost nothing stays is another sentence, and a small word between two larger changes
 * is no reason to mark it in three parts. What is merged is marked as going and as coming, so no text is lost.
 */
export function readable(steps: readonly Step[]): readonly Step[] {
  if (isAnotherText(steps)) return joinSteps(steps.map((step) => ({ ...step, kind: 'gap' })))
  return joinSteps(steps.map((step, at) => (isIsland(steps, at) ? { ...step, kind: 'gap' } : step)))
}

/** The part of the shorter side that stays at least, where words are marked one by one. Below a quarter what stays are words like "the". */
const LEAST_COMMON = 0.25

function isAnotherText(steps: readonly Step[]): boolean {
  const kept = steps.filter(({ kind }) => kind === 'same')
  if (kept.length === steps.length || kept.some(({ after }) => after.some(({ box }) => box))) return false
  const all = Math.min(
    lengthOf(steps.flatMap(({ before }) => before)),
    lengthOf(steps.flatMap(({ after }) => after)),
  )
  return lengthOf(kept.flatMap(({ after }) => after)) < LEAST_COMMON * all
}

function isIsland(steps: readonly Step[], at: number): boolean {
  const [previous, step, next] = [steps[at - 1], steps[at], steps[at + 1]]
  if (!previous || !step || !next || step.kind === 'gap') return false
  if (step.after.length > 2 || step.after.some(({ box }) => box)) return false
  return lengthOf(step.after) < Math.min(sizeOf(previous), sizeOf(next))
}

function sizeOf({ before, after }: Step): number {
  return Math.max(lengthOf(before), lengthOf(after))
}

/** Characters of the words; elements count for none. */
function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0)
}
