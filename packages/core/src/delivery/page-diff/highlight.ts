import { type Differ, type Run, type Wrap, blank, highlightAll, plain } from './differ.ts'
import type { Pair, PairUp } from './likeness.ts'
import type { Content, Token } from './tokens.ts'
import { type Element, type Node, attributeOf, withAttribute, withChildren, withClass } from './read-page.ts'

/** The children of an element with highlighted changes, for each of the three views. */
interface HighlightedContent {
  readonly inline: Node[]
  readonly before: Node[]
  readonly after: Node[]
  readonly changes: number
}

/** The functions that compare one page. */
interface Comparison {
  readonly differ: Differ
  readonly pairUp: PairUp
  readonly wrap: Wrap
}

/**
 * Highlights the differences between the contents of two elements. A highlight never crosses the
 * border of an element.
 */
export function highlightContent(
  before: Content,
  after: Content,
  comparison: Comparison,
): HighlightedContent {
  const parts = readable(align(before.tokens, after.tokens, comparison.differ)).map((step) =>
    step.kind === 'same'
      ? unchanged(step.before, step.after)
      : highlightGap(step.before, step.after, comparison),
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

/** Highlights a gap: elements that correspond are highlighted inside, other tokens as a whole. */
function highlightGap(
  before: readonly Token[],
  after: readonly Token[],
  comparison: Comparison,
): HighlightedContent {
  const parts: HighlightedContent[] = []
  let [from, to] = [0, 0]
  for (const pair of comparison.pairUp(before, after)) {
    const [left, right] = [before.indexOf(pair.before, from), after.indexOf(pair.after, to)]
    parts.push(
      highlightReplacement(before.slice(from, left), after.slice(to, right), comparison),
      highlightPair(pair, comparison),
    )
    from = left + 1
    to = right + 1
  }
  return joinParts([...parts, highlightReplacement(before.slice(from), after.slice(to), comparison)])
}

function highlightReplacement(
  before: readonly Token[],
  after: readonly Token[],
  { wrap }: Comparison,
): HighlightedContent {
  const deleted = highlightAll(before, 'deleted', wrap)
  const inserted = highlightAll(after, 'inserted', wrap)
  const changes = before.length + after.length > 0 ? 1 : 0
  return { inline: [...deleted, ...inserted], before: deleted, after: inserted, changes }
}

function highlightPair({ before, after }: Pair, comparison: Comparison): HighlightedContent {
  const within = highlightContent(before, after, comparison)
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

/** The title of a link whose URL changed; null when it did not. */
function linkChange(before: Element, after: Element): string | null {
  const [old, next] = [attributeOf(before, 'href'), attributeOf(after, 'href')]
  if (after.tagName !== 'a' || old === next) return null
  return `Link changed from ${old ?? 'nothing'} to ${next ?? 'nothing'}`
}

/**
 * Merges steps so that people can read the result. A sentence of which almost nothing is left
 * counts as a new sentence, and a small word between two larger changes is merged with them. Merged
 * text is highlighted as deleted and inserted, so no text is lost.
 */
function readable(steps: readonly Step[]): readonly Step[] {
  if (isAnotherText(steps)) return joinSteps(steps.map((step) => ({ ...step, kind: 'gap' })))
  return joinSteps(steps.map((step, at) => (isIsland(steps, at) ? { ...step, kind: 'gap' } : step)))
}

/**
 * The least part of the shorter side that must be unchanged to highlight single words. Below a
 * quarter, only words like "the" are left.
 */
const LEAST_COMMON = 0.25

function isAnotherText(steps: readonly Step[]): boolean {
  const equal = steps.filter(({ kind }) => kind === 'same')
  if (equal.length === steps.length || equal.some(({ after }) => after.some(({ box }) => box))) return false
  const all = Math.min(
    lengthOf(steps.flatMap(({ before }) => before)),
    lengthOf(steps.flatMap(({ after }) => after)),
  )
  return lengthOf(equal.flatMap(({ after }) => after)) < LEAST_COMMON * all
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

/** Number of characters in the words. Elements count as none. */
function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { text }) => sum + text.length, 0)
}

/**
 * A step from one list to the other: an equal part with its form on both sides, or a gap where they
 * differ.
 */
interface StepOf<T> {
  readonly kind: 'same' | 'gap'
  readonly before: readonly T[]
  readonly after: readonly T[]
}

type Step = StepOf<Token>

/**
 * Aligns two lists of tokens: by token, by sentence if that is too expensive, or as a whole if that
 * is too expensive too.
 */
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

/** Aligns long lists by equal sentences, and compares the parts between them by token. */
function alignSentences(before: readonly Token[], after: readonly Token[], differ: Differ): readonly Step[] {
  const [left, right] = [sentences(before), sentences(after)]
  const runs =
    left.length + right.length < before.length + after.length
      ? differ(...numberSentences(left, right))
      : undefined
  if (!runs) return [gap(before, after)]
  return stepsOf(runs, left, right).flatMap(({ kind, before: from, after: to }): readonly Step[] => {
    if (kind === 'same') return [same(from.flat(), to.flat())]
    const finer = differ(keysOf(from.flat()), keysOf(to.flat()))
    return finer ? stepsOf(finer, from.flat(), to.flat()) : [gap(from.flat(), to.flat())]
  })
}

/** Groups tokens into sentences. An element is a group of its own. */
function sentences(tokens: readonly Token[]): Token[][] {
  const found: Token[][] = []
  let ended = true
  for (const token of tokens) {
    if (ended || token.box) found.push([token])
    else found.at(-1)?.push(token)
    ended = token.box !== null || /^[.!?。！？।…:;\n]$/u.test(token.text)
  }
  return found
}

function numberSentences(left: readonly Token[][], right: readonly Token[][]): [number[], number[]] {
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

/** Joins consecutive steps of the same kind, and drops empty ones. */
function joinSteps(steps: readonly Step[]): readonly Step[] {
  const joined: { kind: Step['kind']; before: Token[]; after: Token[] }[] = []
  for (const { kind, before, after } of steps) {
    if (before.length + after.length === 0) continue
    const last = joined.at(-1)
    if (last?.kind === kind) {
      for (const token of before) last.before.push(token)
      for (const token of after) last.after.push(token)
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

function keysOf(tokens: readonly Token[]): number[] {
  return tokens.map(({ key }) => key)
}

function same(before: readonly Token[], after: readonly Token[]): Step {
  return { kind: 'same', before, after }
}

function gap(before: readonly Token[], after: readonly Token[]): Step {
  return { kind: 'gap', before, after }
}
