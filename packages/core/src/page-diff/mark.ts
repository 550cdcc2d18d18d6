import { align } from './align.ts'
import type { Differ } from './differ.ts'
import type { Pair, PairUp } from './likeness.ts'
import { type Wrap, blank, markAll, plain } from './marks.ts'
import type { Content, Piece } from './pieces.ts'
import { readable } from './readable.ts'
import { type Element, type Node, attributeOf, withAttribute, withChildren, withClass } from './tree.ts'

/** The marked children of an element, for each of the three views. */
export interface MarkedContent {
  readonly inline: Node[]
  readonly before: Node[]
  readonly after: Node[]
  readonly changes: number
}

/** What compares, for one page. */
export interface Comparing {
  readonly differ: Differ
  readonly pairUp: PairUp
  readonly wrap: Wrap
}

/** Marks what differs between what two elements hold. A mark never reaches out of the element that it is in. */
export function markContent(before: Content, after: Content, comparing: Comparing): MarkedContent {
  const parts = readable(align(before.pieces, after.pieces, comparing.differ)).map((step) =>
    step.kind === 'same' ? unchanged(step.before, step.after) : markGap(step.before, step.after, comparing),
  )
  return joinParts([...parts, tails(before, after)])
}

function unchanged(before: readonly Piece[], after: readonly Piece[]): MarkedContent {
  const nodes = plain(after)
  return { inline: nodes, before: plain(before), after: nodes, changes: 0 }
}

function tails({ tail: before }: Content, { tail: after }: Content): MarkedContent {
  return { inline: blank(after), before: blank(before), after: blank(after), changes: 0 }
}

function joinParts(parts: readonly MarkedContent[]): MarkedContent {
  return {
    inline: parts.flatMap(({ inline }) => inline),
    before: parts.flatMap(({ before }) => before),
    after: parts.flatMap(({ after }) => after),
    changes: parts.reduce((sum, { changes }) => sum + changes, 0),
  }
}

/** A place that differs: elements of which one became the other are marked within, the others as a whole. */
function markGap(before: readonly Piece[], after: readonly Piece[], comparing: Comparing): MarkedContent {
  const parts: MarkedContent[] = []
  let [from, to] = [0, 0]
  for (const pair of comparing.pairUp(before, after)) {
    const [left, right] = [before.indexOf(pair.before, from), after.indexOf(pair.after, to)]
    parts.push(
      replaced(before.slice(from, left), after.slice(to, right), comparing),
      markPair(pair, comparing),
    )
    from = left + 1
    to = right + 1
  }
  return joinParts([...parts, replaced(before.slice(from), after.slice(to), comparing)])
}

function replaced(before: readonly Piece[], after: readonly Piece[], { wrap }: Comparing): MarkedContent {
  const going = markAll(before, 'deleted', wrap)
  const coming = markAll(after, 'inserted', wrap)
  const changes = before.length + after.length > 0 ? 1 : 0
  return { inline: [...going, ...coming], before: going, after: coming, changes }
}

function markPair({ before, after }: Pair, comparing: Comparing): MarkedContent {
  const within = markContent(before, after, comparing)
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
