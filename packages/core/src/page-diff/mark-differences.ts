import type { MarkedPage } from '../ports/index.ts'
import { type DiffArrays, createDiffer } from './differ.ts'
import { createPairUp } from './likeness.ts'
import { markStyle } from './mark-style.ts'
import { markContent } from './mark.ts'
import type { Wrap } from './marks.ts'
import { createNumbering, createReader } from './pieces.ts'
import { type Page, readPage, writePage } from './read-page.ts'
import { isSettled, settle } from './settle.ts'
import { type Element, type Node, type Parse5, isElement, withAttribute, withChildren } from './tree.ts'

/**
 * Marks the differences of two rendered pages, as people see them: words, pictures, addresses of links, whole elements. White space alone is no
 * difference, but in `pre`. What is returned are whole documents in which nothing runs, with the styles of the pages; an empty text is a page
 * that is not there. Takes any text. Errors: PageDiffRefused `large`, for megabytes. Cost: bounded; 0.1 s for two pages of 200 KB, 0.4 s where nothing is alike.
 */
export async function markDifferences(before: string, after: string): Promise<MarkedPage> {
  const libraries = await loadLibraries()
  const { parse5 } = libraries
  const marked = markPages(before, after, libraries)
  if (views.every((view) => isSettled(parse5, marked[view]))) return marked
  // Elements that browsers rearrange each time they are read: marks may stand only in what stays as it is.
  const again = markPages(settleText(parse5, before), settleText(parse5, after), libraries)
  const [inline, old, next] = views.map((view) => settle(parse5, again[view]))
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

function settleText(parse5: Parse5, text: string): string {
  return isAbsent(text) ? '' : settle(parse5, text)
}

function isAbsent(text: string): boolean {
  return text.trim() === ''
}

function markPages(before: string, after: string, { parse5, diffArrays }: Libraries): MarkedPage {
  const { old, next } = readBoth(parse5, before, after)
  const read = createReader(parse5, createNumbering())
  const marked = markContent(read(old.body), read(next.body), {
    differ: createDiffer(diffArrays),
    pairUp: createPairUp(),
    wrap: wrapper(next.body),
  })
  return {
    inline: writeView(parse5, next, marked.inline),
    before: writeView(parse5, old, marked.before),
    after: writeView(parse5, next, marked.after),
    changes: marked.changes,
  }
}

/** Both pages, of which one that is not there is the other without its content; read in one mode, as they are shown in one view. */
function readBoth(parse5: Parse5, before: string, after: string): { old: Page; next: Page } {
  const [old, next] = [withoutMarks(readPage(parse5, before)), withoutMarks(readPage(parse5, after))]
  if (isAbsent(before)) return { old: emptied(next), next }
  if (isAbsent(after)) return { old, next: emptied(old) }
  if (old.isQuirky === next.isQuirky) return { old, next }
  return { old: readPage(parse5, writePage(parse5, { ...old, isQuirky: next.isQuirky })), next }
}

function emptied(page: Page): Page {
  return { ...page, body: withChildren(page.body, []) }
}

/** Marks that a page brought itself would be taken for ours. */
function withoutMarks(page: Page): Page {
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
  return (mark, children) => {
    const tagName = elements[mark]
    const attrs = [{ name: 'class', value: `quire-${mark}` }]
    return { ...like, nodeName: tagName, tagName, attrs, childNodes: children }
  }
}

function writeView(parse5: Parse5, page: Page, content: Node[]): string {
  const style = withChildren({ ...page.head, nodeName: 'style', tagName: 'style', attrs: [] }, [])
  style.childNodes = [{ nodeName: '#text', value: markStyle, parentNode: style }]
  const head = withChildren(page.head, [
    ...page.head.childNodes,
    withAttribute(style, 'data-quire', 'page-diff'),
  ])
  return writePage(parse5, { ...page, head, body: withChildren(page.body, content) })
}
