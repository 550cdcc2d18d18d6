import type { diffArrays } from 'diff'
import type { Box, Token } from './tokens.ts'
import { type Element, type Node, textNode, withClass } from './read-page.ts'

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

/** What became of a piece. */
type Highlight = 'inserted' | 'deleted'

/** Puts nodes into the element of a mark. */
export type Wrap = (highlight: Highlight, children: Node[]) => Element

/** Elements that stand among words, so that the element of a mark may be around them. */
const phrasing = new Set(
  (
    'a abbr audio b bdi bdo big br button canvas cite code data datalist del dfn em font i iframe img input ins kbd label map mark ' +
    'math meter object output picture progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var ' +
    'video wbr'
  ).split(' '),
)

/** White space between pieces. */
export function blank(text: string): Node[] {
  return text === '' ? [] : [textNode(text)]
}

/** Pieces as they are. */
export function plain(pieces: readonly Token[]): Node[] {
  const nodes: Node[] = []
  let text = ''
  for (const piece of pieces) {
    text += piece.lead + piece.text
    if (piece.box) {
      nodes.push(...blank(text), piece.box)
      text = ''
    }
  }
  return [...nodes, ...blank(text)]
}

/** Pieces, all of them marked: those that stand among words together in one element, each other by a class of its own. */
export function highlightAll(pieces: readonly Token[], highlight: Highlight, wrap: Wrap): Node[] {
  const nodes: Node[] = []
  let run: Token[] = []
  const close = () => {
    if (run.length > 0) nodes.push(wrap(highlight, plain(run)))
    run = []
  }
  for (const piece of pieces)
    if (isBlock(piece)) {
      close()
      nodes.push(...blank(piece.lead), withClass(piece.box, `quire-${highlight}`))
    } else run.push(piece)
  close()
  return nodes
}

function isBlock(piece: Token): piece is Box {
  return piece.box !== null && (!phrasing.has(piece.box.tagName) || holdsBlock(piece))
}

/** A link around a block, say: the element of a mark could not be around it everywhere. */
function holdsBlock({ pieces }: Box): boolean {
  return pieces.some(isBlock)
}
