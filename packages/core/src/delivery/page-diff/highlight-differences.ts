import type { HighlightedPage } from '../../ports/index.ts'
import { type DiffArrays, createDiffer, type Wrap } from './differ.ts'
import { createPairUp } from './likeness.ts'
import { highlightContent } from './highlight.ts'
import { createNumbering, createReader } from './tokens.ts'
import {
  type Page,
  readPage,
  writePage,
  type Element,
  type Node,
  type Parse5,
  isElement,
  withAttribute,
  withChildren,
  textNode,
  textOf,
} from './read-page.ts'

/**
 * Highlights the visible differences of two rendered pages: words, pictures, link URLs, whole
 * elements. White space only counts in `pre`. Returns complete documents in which nothing runs,
 * with the styles of the pages. Accepts any text; an empty one means that the page does not exist
 * on that side.
 * Errors: PageDiffRefused `large`, for pages of megabytes.
 * Cost: bounded; 0.1 s for two pages of 200 KB, 0.4 s when they have nothing in common.
 */
export async function highlightDifferences(before: string, after: string): Promise<HighlightedPage> {
  const libraries = await loadLibraries()
  const { parse5 } = libraries
  const highlighted = highlightPages(before, after, libraries)
  if (views.every((view) => isStable(parse5, highlighted[view]))) return highlighted
  // Parsing rearranges some elements each time. Highlights are only safe in HTML that parsing does
  // not change.
  const again = highlightPages(stableText(parse5, before), stableText(parse5, after), libraries)
  const [inline, old, next] = views.map((view) => stableHtml(parse5, again[view]))
  return { inline: inline ?? '', before: old ?? '', after: next ?? '', changes: again.changes }
}

const views = ['inline', 'before', 'after'] as const

interface Libraries {
  readonly parse5: Parse5
  readonly diffArrays: DiffArrays
}

/** Loads the libraries, on the first comparison. */
async function loadLibraries(): Promise<Libraries> {
  const [parse5, { diffArrays }] = await Promise.all([import('parse5'), import('diff')])
  return { parse5, diffArrays }
}

function stableText(parse5: Parse5, text: string): string {
  return isAbsent(text) ? '' : stableHtml(parse5, text)
}

function isAbsent(text: string): boolean {
  return text.trim() === ''
}

function highlightPages(before: string, after: string, { parse5, diffArrays }: Libraries): HighlightedPage {
  const { old, next } = readBoth(parse5, before, after)
  const read = createReader(parse5, createNumbering())
  const highlighted = highlightContent(read(old.body), read(next.body), {
    differ: createDiffer(diffArrays),
    pairUp: createPairUp(),
    wrap: createWrap(next.body),
  })
  return {
    inline: writeView(parse5, next, highlighted.inline),
    before: writeView(parse5, old, highlighted.before),
    after: writeView(parse5, next, highlighted.after),
    changes: highlighted.changes,
  }
}

/**
 * Reads both pages. A missing page is the other one without content. Both are read in the same
 * mode, because they are shown in one view.
 */
function readBoth(parse5: Parse5, before: string, after: string): { old: Page; next: Page } {
  const [old, next] = [
    withoutHighlights(readPage(parse5, before)),
    withoutHighlights(readPage(parse5, after)),
  ]
  if (isAbsent(before)) return { old: withoutContent(next), next }
  if (isAbsent(after)) return { old, next: withoutContent(old) }
  if (old.isQuirky === next.isQuirky) return { old, next }
  return { old: readPage(parse5, writePage(parse5, { ...old, isQuirky: next.isQuirky })), next }
}

function withoutContent(page: Page): Page {
  return { ...page, body: withChildren(page.body, []) }
}

/** Removes classes of our highlights that the page itself contains, in place. */
function withoutHighlights(page: Page): Page {
  removeHighlights([page.body])
  return page
}

function removeHighlights(nodes: readonly Node[]): void {
  for (const element of nodes.filter(isElement)) {
    for (const attribute of element.attrs)
      if (attribute.name === 'class')
        attribute.value = attribute.value
          .replaceAll(/(?<!\S)quire-(?:inserted|deleted|changed)(?!\S)/g, '')
          .trim()
    removeHighlights(element.childNodes)
  }
}

function createWrap(like: Element): Wrap {
  const elements = { inserted: 'ins', deleted: 'del' } as const
  return (highlight, children) => {
    const tagName = elements[highlight]
    const attrs = [{ name: 'class', value: `quire-${highlight}` }]
    return { ...like, nodeName: tagName, tagName, attrs, childNodes: children }
  }
}

function writeView(parse5: Parse5, page: Page, content: Node[]): string {
  const style = withChildren({ ...page.head, nodeName: 'style', tagName: 'style', attrs: [] }, [])
  style.childNodes = [{ nodeName: '#text', value: highlightStyle, parentNode: style }]
  const head = withChildren(page.head, [
    ...page.head.childNodes,
    withAttribute(style, 'data-quire', 'page-diff'),
  ])
  return writePage(parse5, { ...page, head, body: withChildren(page.body, content) })
}

/**
 * The style of highlights. It does not rely on color alone: inserted text is underlined, deleted
 * text is struck through, and blocks and pictures have lines of different kinds. Words have their
 * own background, so that they are readable on any page. The lines have a contrast of 3:1 on white
 * and on black (WCAG 1.4.11).
 */
const highlightStyle = `
.quire-inserted, .quire-deleted, .quire-changed { scroll-margin: 4em }
ins.quire-inserted { background: #d2f5da !important; color: #053d15 !important; text-decoration: underline 2px #2b8a45 !important }
del.quire-deleted { background: #ffdcdc !important; color: #7a0c14 !important; text-decoration: line-through 2px #d1383f !important }
ins.quire-inserted *, del.quire-deleted * { color: inherit !important; background-color: transparent !important }
:not(ins).quire-inserted { outline: 3px solid #2b8a45 !important; outline-offset: 2px }
:not(del).quire-deleted { outline: 3px dashed #d1383f !important; outline-offset: 2px; text-decoration: line-through 2px #d1383f !important }
.quire-changed { outline: 2px dotted #8a63d2 !important; outline-offset: 2px }
ins.quire-inserted :is(img, picture, svg, video, canvas, iframe, object) { outline: 4px solid #2b8a45 !important }
del.quire-deleted :is(img, picture, svg, video, canvas, iframe, object) { outline: 4px dashed #d1383f !important; opacity: 0.6 }
`

/**
 * Factor for the limits of a highlighted page, which may contain two pages and as much markup for
 * highlights again for each.
 */
const BOTH_HIGHLIGHTED = 8

/**
 * Whether parsing and serializing does not change a page, so that browsers see exactly what was
 * checked.
 */
function isStable(parse5: Parse5, text: string): boolean {
  return writePage(parse5, readPage(parse5, text, BOTH_HIGHLIGHTED)) === text
}

/**
 * The most times to parse a page until it is stable. Almost all are after two. The depth of nesting
 * bounds the others.
 */
const MOST_PARSES = 8

/** The stable HTML of a page. A page that never becomes stable is reduced to its text. */
function stableHtml(parse5: Parse5, text: string): string {
  let html = text
  for (let parses = 0; parses < MOST_PARSES; parses++) {
    const next = writePage(parse5, readPage(parse5, html, BOTH_HIGHLIGHTED))
    if (next === html) return html
    html = next
  }
  return plainPage(parse5, html)
}

function plainPage(parse5: Parse5, text: string): string {
  const { html } = readPage(parse5, '')
  const { head, body } = readPage(parse5, text, BOTH_HIGHLIGHTED)
  const content = textNode(textOf(body.childNodes).replaceAll('\0', '').trim())
  return writePage(parse5, {
    isQuirky: false,
    html,
    head: { ...head, attrs: [], childNodes: [] },
    body: { ...body, attrs: [], childNodes: [content] },
  })
}
