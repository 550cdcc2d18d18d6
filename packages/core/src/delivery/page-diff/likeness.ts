import type { Box, Token } from './tokens.ts'
import { attributeOf } from './read-page.ts'

/** Two elements that correspond: one became the other. */
export interface Pair {
  readonly before: Box
  readonly after: Box
}

/** Finds the elements of two lists that correspond. Pairs are in the order of both lists. */
export type PairUp = (before: readonly Token[], after: readonly Token[]) => readonly Pair[]

/** Creates a `PairUp` for one page. It caches the words of elements. */
export function createPairUp(): PairUp {
  const known = new WeakMap<Box, Int32Array>()
  const wordsOf = (box: Box) => {
    const words = known.get(box) ?? Int32Array.from(leaves(box)).sort()
    known.set(box, words)
    return words
  }
  return (before, after) => {
    const [left, right] = [before.filter(mayChange), after.filter(mayChange)]
    const [only, other] = [left[0], right[0]]
    if (left.length === 1 && right.length === 1 && only && other && isSamePosition(only, other))
      return [{ before: only, after: other }]
    return pairLists(left, right, (from, to) => likeness(from, to, wordsOf))
  }
}

function mayChange(token: Token): token is Box {
  return token.box !== null && !token.isWhole
}

/**
 * Whether two elements, each the only one on its side, correspond. With another class, it is
 * another element.
 */
function isSamePosition(before: Box, after: Box): boolean {
  return (
    before.box.tagName === after.box.tagName &&
    attributeOf(before.box, 'class') === attributeOf(after.box, 'class')
  )
}

function leaves({ tokens }: Pick<Box, 'tokens'>): number[] {
  return tokens.flatMap((token) => (mayChange(token) ? leaves(token) : [token.key]))
}

/**
 * The least likeness of corresponding elements. Unrelated paragraphs of one language have about
 * 0.3.
 */
const LEAST_LIKE = 0.5

/**
 * The part of their words that two elements have in common, 0 to 1. It is 0 below `LEAST_LIKE` or
 * for different tag names.
 */
function likeness(before: Box, after: Box, wordsOf: (box: Box) => Int32Array): number {
  if (before.box.tagName !== after.box.tagName) return 0
  const [left, right] = [wordsOf(before), wordsOf(after)]
  const all = left.length + right.length
  if (all === 0) return 1
  if ((2 * Math.min(left.length, right.length)) / all < LEAST_LIKE) return 0
  const like = (2 * common(left, right)) / all
  return like < LEAST_LIKE ? 0 : like
}

/** Counts the numbers that two sorted lists have in common, with repetitions. */
function common(left: Int32Array, right: Int32Array): number {
  let [count, from, to] = [0, 0, 0]
  while (from < left.length && to < right.length) {
    const difference = (left[from] ?? 0) - (right[to] ?? 0)
    if (difference === 0) count++
    if (difference <= 0) from++
    if (difference >= 0) to++
  }
  return count
}

type Likeness = (before: Box, after: Box) => number

/**
 * The most comparisons in one table. At ten times the value, a list with changes in every entry
 * takes seconds.
 */
const LARGEST_TABLE = 16_384

/**
 * The pairs with the most likeness in total. Lists that are too long for one table are halved, so
 * pairs across the middle are missed.
 */
function pairLists(before: readonly Box[], after: readonly Box[], like: Likeness): readonly Pair[] {
  if (before.length === 0 || after.length === 0) return []
  if (before.length * after.length <= LARGEST_TABLE) return pairsOf(before, after, like)
  const [middle, other] = [Math.ceil(before.length / 2), Math.ceil(after.length / 2)]
  return [
    ...pairLists(before.slice(0, middle), after.slice(0, other), like),
    ...pairLists(before.slice(middle), after.slice(other), like),
  ]
}

function pairsOf(before: readonly Box[], after: readonly Box[], like: Likeness): readonly Pair[] {
  const width = after.length + 1
  const likes = before.map((from) => after.map((to) => like(from, to)))
  const best = bestSums(likes, width)
  const pairs: Pair[] = []
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    const here = best[row * width + column]
    const [from, to] = [before[row], after[column]]
    if (here === best[(row + 1) * width + column]) row++
    else if (here === best[row * width + column + 1]) column++
    else if (from && to) {
      pairs.push({ before: from, after: to })
      row++
      column++
    }
  }
  return pairs
}

/** For each cell of the table, the largest sum of likeness from there to the end. */
function bestSums(likes: readonly (readonly number[])[], width: number): Float64Array {
  const best = new Float64Array((likes.length + 1) * width)
  for (let row = likes.length - 1; row >= 0; row--)
    for (let column = width - 2; column >= 0; column--) {
      const like = likes[row]?.[column] ?? 0
      const paired = like > 0 ? like + (best[(row + 1) * width + column + 1] ?? 0) : 0
      const [below, beside] = [best[(row + 1) * width + column] ?? 0, best[row * width + column + 1] ?? 0]
      best[row * width + column] = Math.max(paired, below, beside)
    }
  return best
}
