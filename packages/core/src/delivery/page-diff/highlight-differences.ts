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
 * Marks the differences of two rendered pages, as people see them: words, pictures, addresses of links, whole elements. White space alone is no
 * difference, but in `pre`. What is returned are whole documents in which nothing runs, with the styles of the pages; an empty text is a page
 * that is not there. Takes any text. Errors: PageDiffRefused `large`, for megabytes. Cost: bounded; 0.1 s for two pages of 200 KB, 0.4 s where nothing is alike.
 */
export async function highlightDifferences(before: string, after: string): Promise<HighlightedPage> {
  const libraries = await loadLibraries()
  const { parse5 } = libraries
  const highlighted = highlightPages(before, after, libraries)
  if (views.every((view) => isSettled(parse5, highlighted[view]))) return highlighted
  // Elements that browsers rearrange each time they are read: marks may stand only in what stays as it is.
  const again = highlightPages(stableText(parse5, before), stableText(parse5, after), libraries)
  const [inline, old, next] = views.map((view) => stableHtml(parse5, again[view]))
  return { inline: inline ?? '', before: old ?? '', after: next ?? '', changes: again.changes }
}

const views = ['inline', 'before', 'after'] as const

interface Libraries {
  readonly parse5: Parse5
  readonly diffArrays: DiffArrays
}

/** Loaded with the first comparison. */
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
    wrap: wrapper(next.body),
  })
  return {
    inline: writeView(parse5, next, highlighted.inline),
    before: writeView(parse5, old, highlighted.before),
    after: writeView(parse5, next, highlighted.after),
    changes: highlighted.changes,
  }
}

/** Both pages, of which one that is not there is the other without its content; read in one mode, as they are shown in one view. */
function readBoth(parse5: Parse5, before: string, after: string): { old: Page; next: Page } {
  const [old, next] = [
    withoutHighlights(readPage(parse5, before)),
    withoutHighlights(readPage(parse5, after)),
  ]
  if (isAbsent(before)) return { old: emptied(next), next }
  if (isAbsent(after)) return { old, next: emptied(old) }
  if (old.isQuirky === next.isQuirky) return { old, next }
  return { old: readPage(parse5, writePage(parse5, { ...old, isQuirky: next.isQuirky })), next }
}

function emptied(page: Page): Page {
  return { ...page, body: withChildren(page.body, []) }
}

/** Marks that a page brought itself would be taken for ours. */
function withoutHighlights(page: Page): Page {
  unmark([page.body])
  return page
}

function unmark(nodes: readonly Node[]): void {
  for (const element of nodes.filter(isElement)) {
    for (const attribute of element.attrs)
      if (attribute.name === 'class')
        attribute.value = attribute.value
          .replaceAll(/(?<!\S)quire-(?:inserted|deleted|changed)(?!\S)/g, '')
          .trim()
    unmark(element.childNodes)
  }
}

function wrapper(like: Element): Wrap {
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
 * How marks look, by more than colour: what comes is underlined, what goes is struck through, blocks and pictures have branches of different
 * kinds. Words bring their own background, so they can be read on any page; the lines have 3:1 on white and on black (WCAG 1.4.11).
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

/** What is written may hold two pages, each with as much of marks again: it is read within their bounds together. */
const BOTH_HIGHLIGHTED = 8

/** Whether a text is a page that stays as it is when it is read and written again: what browsers make of it is what was checked. */
function isSettled(parse5: Parse5, text: string): boolean {
  return writePage(parse5, readPage(parse5, text, BOTH_HIGHLIGHTED)) === text
}

/** Readings until a text stays as it is. Almost all do after two; the depth of elements in each other bounds the others. */
const MOST_READINGS = 8

/** The page that a text is, in words that stay as they are. What never settles becomes its text without elements. */
function stableHtml(parse5: Parse5, text: string): string {
  let settled = text
  for (let reading = 0; reading < MOST_READINGS; reading++) {
    const next = writePage(parse5, readPage(parse5, settled, BOTH_HIGHLIGHTED))
    if (next === settled) return settled
    settled = next
  }
  return plainPage(parse5, settled)
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
