import type { Differ, Run } from './differ.ts'
import type { Piece } from './pieces.ts'

/** A step from one list to the other: what stays, as it is on both sides, or a place where some goes and other comes. */
export interface StepOf<T> {
  readonly kind: 'same' | 'gap'
  readonly before: readonly T[]
  readonly after: readonly T[]
}

export type Step = StepOf<Piece>

/** Aligns two lists of pieces: by piece, where that is too much by sentence, and where that is too much as a whole. */
export function align(before: readonly Piece[], after: readonly Piece[], differ: Differ): readonly Step[] {
  const start = commonStart(before, after)
  const end = commonEnd(before.slice(start), after.slice(start))
  const middle = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const
  return joinSteps([
    same(before.slice(0, start), after.slice(0, start)),
    ...alignMiddle(...middle, differ),
    same(before.slice(before.length - end), after.slice(after.length - end)),
  ])
}

function alignMiddle(before: readonly Piece[], after: readonly Piece[], differ: Differ): readonly Step[] {
  if (before.length === 0 || after.length === 0) return [gap(before, after)]
  const runs = differ(keysOf(before), keysOf(after))
  if (runs) return stepsOf(runs, before, after)
  return alignSentences(before, after, differ)
}

/** Sentences that stay divide a long list; what lies between is compared by piece. */
function alignSentences(before: readonly Piece[], after: readonly Piece[], differ: Differ): readonly Step[] {
  const [left, right] = [sentences(before), sentences(after)]
  const runs =
    left.length + right.length < before.length + after.length ? differ(...numbered(left, right)) : undefined
  if (!runs) return [gap(before, after)]
  return stepsOf(runs, left, right).flatMap(({ kind, before: from, after: to }): readonly Step[] => {
    if (kind === 'same') return [same(from.flat(), to.flat())]
    const finer = differ(keysOf(from.flat()), keysOf(to.flat()))
    return finer ? stepsOf(finer, from.flat(), to.flat()) : [gap(from.flat(), to.flat())]
  })
}

/** Pieces up to each stop; an element stands for itself. */
function sentences(pieces: readonly Piece[]): Piece[][] {
  const found: Piece[][] = []
  let ended = true
  for (const piece of pieces) {
    if (ended || piece.box) found.push([piece])
    else found.at(-1)?.push(piece)
    ended = piece.box !== null || /^[.!?。！？।…:;\n]$/u.test(piece.text)
  }
  return found
}

function numbered(left: readonly Piece[][], right: readonly Piece[][]): [number[], number[]] {
  const numbers = new Map<string, number>()
  const numberOf = (sentence: readonly Piece[]) => {
    const text = keysOf(sentence).join()
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  }
  return [left.map(numberOf), right.map(numberOf)]
}

function stepsOf<T>(runs: readonly Run[], before: readonly T[], after: readonly T[]): StepOf<T>[] {
  let [from, to] = [0, 0]
  return runs.map(({ count, added, removed }) => {
    const step = {
      kind: added || removed ? ('gap' as const) : ('same' as const),
      before: before.slice(from, added ? from : from + count),
      after: after.slice(to, removed ? to : to + count),
    }
    from += step.before.length
    to += step.after.length
    return step
  })
}

/** No two steps of a kind in a row, and none that is empty. */
export function joinSteps(steps: readonly Step[]): readonly Step[] {
  const joined: { kind: Step['kind']; before: Piece[]; after: Piece[] }[] = []
  for (const { kind, before, after } of steps) {
    if (before.length + after.length === 0) continue
    const last = joined.at(-1)
    if (last?.kind === kind) {
      for (const piece of before) last.before.push(piece)
      for (const piece of after) last.after.push(piece)
    } else joined.push({ kind, before: [...before], after: [...after] })
  }
  return joined
}

function commonStart(before: readonly Piece[], after: readonly Piece[]): number {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && before[count]?.key === after[count]?.key) count++
  return count
}

function commonEnd(before: readonly Piece[], after: readonly Piece[]): number {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && before.at(-1 - count)?.key === after.at(-1 - count)?.key) count++
  return count
}

function keysOf(pieces: readonly Piece[]): number[] {
  return pieces.map(({ key }) => key)
}

function same(before: readonly Piece[], after: readonly Piece[]): Step {
  return { kind: 'same', before, after }
}

function gap(before: readonly Piece[], after: readonly Piece[]): Step {
  return { kind: 'gap', before, after }
}
