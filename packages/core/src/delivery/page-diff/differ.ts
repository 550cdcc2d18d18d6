import type { diffArrays } from 'diff'
import type { Box, Token } from './tokens.ts'
import { type Element, type Node, textNode, withClass } from './read-page.ts'

/**
 * Compares two lists of numbers. Returns runs that are equal, removed or added, in order; undefined
 * when that would exceed the limits.
 */
export type Differ = (before: readonly number[], after: readonly number[]) => readonly Run[] | undefined

/**
 * A run of numbers that are in both lists, only in the first (removed) or only in the second
 * (added).
 */
export interface Run {
  readonly count: number
  readonly added: boolean
  readonly removed: boolean
}

/** The function of the library `diff`. */
export type DiffArrays = typeof diffArrays

/**
 * The most edits of one comparison, and the most steps of all comparisons of a page. A comparison
 * with d edits takes at most d² steps. Measured: 4 million steps take 0.2 s. At twice the value, a
 * page with a new text takes 0.4 s longer; at half, long lists are highlighted more coarsely.
 */
const MOST_EDITS = 1000
const MOST_STEPS = 4_000_000

/**
 * Creates the differ of one page. Its limits count steps and not time, so the same pages are
 * compared the same way on any machine.
 */
export function createDiffer(compare: DiffArrays): Differ {
  let left = MOST_STEPS
  return (before, after) => {
    const maxEditLength = Math.min(MOST_EDITS, Math.floor(Math.sqrt(left)))
    const runs = compare([...before], [...after], { maxEditLength })
    const edits = runs ? countEdits(runs) : maxEditLength
    left -= Math.min(left, edits * edits)
    return runs
  }
}

function countEdits(runs: readonly Run[]): number {
  return runs.reduce((sum, { count, added, removed }) => sum + (added || removed ? count : 0), 0)
}

/** What happened to a token. */
type Highlight = 'inserted' | 'deleted'

/** Wraps nodes in a highlight element. */
export type Wrap = (highlight: Highlight, children: Node[]) => Element

/** Phrasing elements, which a highlight element may contain. */
const phrasing = new Set(
  (
    'a abbr audio b bdi bdo big br button canvas cite code data datalist del dfn em font i iframe img input ins kbd label map mark ' +
    'math meter object output picture progress q ruby s samp select small span strike strong sub sup svg textarea time tt u var ' +
    'video wbr'
  ).split(' '),
)

/** White space as nodes; none for an empty text. */
export function blank(text: string): Node[] {
  return text === '' ? [] : [textNode(text)]
}

/** Tokens as nodes, without highlights. */
export function plain(tokens: readonly Token[]): Node[] {
  const nodes: Node[] = []
  let text = ''
  for (const token of tokens) {
    text += token.lead + token.text
    if (token.box) {
      nodes.push(...blank(text), token.box)
      text = ''
    }
  }
  return [...nodes, ...blank(text)]
}

/**
 * Tokens as nodes, all highlighted: adjacent phrasing tokens share one highlight element, each
 * block gets a class.
 */
export function highlightAll(tokens: readonly Token[], highlight: Highlight, wrap: Wrap): Node[] {
  const nodes: Node[] = []
  let run: Token[] = []
  const close = () => {
    if (run.length > 0) nodes.push(wrap(highlight, plain(run)))
    run = []
  }
  for (const token of tokens)
    if (isBlock(token)) {
      close()
      nodes.push(...blank(token.lead), withClass(token.box, `quire-${highlight}`))
    } else run.push(token)
  close()
  return nodes
}

function isBlock(token: Token): token is Box {
  return token.box !== null && (!phrasing.has(token.box.tagName) || holdsBlock(token))
}

/**
 * Whether an element contains a block, like a link around a paragraph. A highlight element may not
 * contain it everywhere.
 */
function holdsBlock({ tokens }: Box): boolean {
  return tokens.some(isBlock)
}
