import { type Differ, type Run, type Wrap, blank, highlightAll, plain } from './differ.ts'
import type { Pair, PairUp } from './likeness.ts'
import type { Content, Token } from './tokens.ts'
import { type Element, type Node, attributeOf, withAttribute, withChildren, withClass } from './read-page.ts'

/** The marked children of an element, for each of the three views. */
interface HighlightedContent {
  readonly inline: Node[]
  readonly before: Node[]
  readonly after: Node[]
  readonly changes: number
}

/** What compares, for one page. */
interface Comparing {
  readonly differ: Differ
  readonly pairUp: PairUp
  readonly wrap: Wrap
}

/** Marks what differs between what two elements hold. A mark never reaches out of the element that it is in. */
export function highlightContent(before: Content, after: Content, comparing: Comparing): HighlightedContent {
  const parts = readable(align(before.pieces, after.pieces, comparing.differ)).map((step) =>
    step.kind === 'same'
      ? unchanged(step.before, step.after)
      : highlightGap(step.before, step.after, comparing),
  )
  return joinParts([...parts, tails(before, after)])
}

function unchanged(before: readonly Token[], after: readonly Token[]): HighlightedContent {
  const nodes = plain(after)
  return { inline: nodes, before: plain(before), after: nodes, changes: 0 }
}

function tails({ tail: before }: Content, { tail: after }: Content): HighlightedContent {
  return { inline: blank(after), before: blank(before), after: blank(after), changes: 0 }
}

function joinParts(parts: readonly HighlightedContent[]): HighlightedContent {
  return {
    inline: parts.flatMap(({ inline }) => inline),
    before: parts.flatMap(({ before }) => before),
    after: parts.flatMap(({ after }) => after),
    changes: parts.reduce((sum, { changes }) => sum + changes, 0),
  }
}

/** A place that differs: elements of which one became the other are marked within, the others as a whole. */
function highlightGap(
  before: readonly Token[],
  after: readonly Token[],
  comparing: Comparing,
): HighlightedContent {
  const parts: HighlightedContent[] = []
  let [from, to] = [0, 0]
  for (const pair of comparing.pairUp(before, after)) {
    const [left, right] = [before.indexOf(pair.before, from), after.indexOf(pair.after, to)]
    parts.push(
      replaced(before.slice(from, left), after.slice(to, right), comparing),
      highlightPair(pair, comparing),
    )
    from = left + 1
    to = right + 1
  }
  return joinParts([...parts, replaced(before.slice(from), after.slice(to), comparing)])
}

function replaced(
  before: readonly Token[],
  after: readonly Token[],
  { wrap }: Comparing,
): HighlightedContent {
  const going = highlightAll(before, 'deleted', wrap)
  const coming = highlightAll(after, 'inserted', wrap)
  const changes = before.length + after.length > 0 ? 1 : 0
  return { inline: [...going, ...coming], before: going, after: coming, changes }
}

function highlightPair({ before, after }: Pair, comparing: Comparing): HighlightedContent {
  const within = highlightContent(before, after, comparing)
  const change = linkChange(before.box, after.box)
  const wrap = (element: Element, children: Node[]) => {
    const whole = withChildren(element, children)
    return change === null ? whole : withAttribute(withClass(whole, 'quire-changed'), 'title', change)
  }
  return {
    inline: [...blank(after.lead), wrap(after.box, within.inline)],
    before: [...blank(before.lead), wrap(before.box, within.before)],
    after: [...blank(after.lead), wrap(after.box, within.after)],
    changes: within.changes + (change === null ? 0 : 1),
  }
}

/** What people are told of a link that leads elsewhere; null: it does not. */
function linkChange(before: Element, after: Element): string | null {
  const [old, next] = [attributeOf(before, 'href'), attributeOf(after, 'href')]
  if (after.tagName !== 'a' || old === next) return null
  return `Link changed from ${old ?? 'nothing'} to ${next ?? 'nothing'}`
}

/**
 * Steps as people read them: a sentence of which almost nothing stays is another sentence, and a small word between two larger changes
 * is no reason to mark it in three parts. What is merged is marked as going and as coming, so no text is lost.
 */
function readable(steps: readonly Step[]): readonly Step[] {
  if (isAnotherText(steps)) return joinSteps(steps.map((step) => ({ ...step, kind: 'gap' })))
  return joinSteps(steps.map((step, at) => (isIsland(steps, at) ? { ...step, kind: 'gap' } : step)))
}

/** The part of the shorter side that stays at least, where words are marked one by one. Below a quarter what stays are words like "the". */
const LEAST_COMMON = 0.25

function isAnotherText(steps: readonly Step[]): boolean {
  const stored = steps.filter(({ kind }) => kind === 'same')
  if (stored.length === steps.length || stored.some(({ after }) => after.some(({ box }) => box))) return false
  const all = Math.min(
    lengthOf(steps.flatMap(({ before }) => before)),
    lengthOf(steps.flatMap(({ after }) => after)),
  )
  return lengthOf(stored.flatMap(({ after }) => after)) < LEAST_COMMON * all
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
function lengthOf(pieces: readonly Token[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0)
}

/** A step from one list to the other: what stays, as it is on both sides, or a place where some goes and other comes. */
interface StepOf<T> {
  readonly kind: 'same' | 'gap'
  readonly before: readonly T[]
  readonly after: readonly T[]
}

type Step = StepOf<Token>

/** Aligns two lists of pieces: by piece, where that is too much by sentence, and where that is too much as a whole. */
function align(before: readonly Token[], after: readonly Token[], differ: Differ): readonly Step[] {
  const start = commonStart(before, after)
  const end = commonEnd(before.slice(start), after.slice(start))
  const middle = [before.slice(start, before.length - end), after.slice(start, after.length - end)] as const
  return joinSteps([
    same(before.slice(0, start), after.slice(0, start)),
    ...alignMiddle(...middle, differ),
    same(before.slice(before.length - end), after.slice(after.length - end)),
  ])
}

function alignMiddle(before: readonly Token[], after: readonly Token[], differ: Differ): readonly Step[] {
  if (before.length === 0 || after.length === 0) return [gap(before, after)]
  const runs = differ(keysOf(before), keysOf(after))
  if (runs) return stepsOf(runs, before, after)
  return alignSentences(before, after, differ)
}

/** Sentences that stay divide a long list; what lies between is compared by piece. */
function alignSentences(before: readonly Token[], after: readonly Token[], differ: Differ): readonly Step[] {
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
function sentences(pieces: readonly Token[]): Token[][] {
  const found: Token[][] = []
  let ended = true
  for (const piece of pieces) {
    if (ended || piece.box) found.push([piece])
    else found.at(-1)?.push(piece)
    ended = piece.box !== null || /^[.!?。！？।…:;\n]$/u.test(piece.text)
  }
  return found
}

function numbered(left: readonly Token[][], right: readonly Token[][]): [number[], number[]] {
  const numbers = new Map<string, number>()
  const numberOf = (sentence: readonly Token[]) => {
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
function joinSteps(steps: readonly Step[]): readonly Step[] {
  const joined: { kind: Step['kind']; before: Token[]; after: Token[] }[] = []
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

function commonStart(before: readonly Token[], after: readonly Token[]): number {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && before[count]?.key === after[count]?.key) count++
  return count
}

function commonEnd(before: readonly Token[], after: readonly Token[]): number {
  const most = Math.min(before.length, after.length)
  let count = 0
  while (count < most && before.at(-1 - count)?.key === after.at(-1 - count)?.key) count++
  return count
}

function keysOf(pieces: readonly Token[]): number[] {
  return pieces.map(({ key }) => key)
}

function same(before: readonly Token[], after: readonly Token[]): Step {
  return { kind: 'same', before, after }
}

function gap(before: readonly Token[], after: readonly Token[]): Step {
  return { kind: 'gap', before, after }
}
