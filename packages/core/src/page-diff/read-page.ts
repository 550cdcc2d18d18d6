import { PageDiffRefused } from '../ports/index.ts'
import { showable, showableAttributes } from './showable.ts'
import { type Element, type Node, type Parse5, isElement, withChildren } from './tree.ts'

/** A page that can be shown: nothing of it runs. */
export interface Page {
  /** Shown as browsers did before standards: a page without a doctype. */
  readonly isQuirky: boolean
  readonly html: Element
  readonly head: Element
  readonly body: Element
}

/**
 * Characters of a page, and what its elements may weigh: what is written of them, and as much again for the memory that each takes. A short
 * text can become any number of elements: browsers repeat unclosed formats in each paragraph. A thread that runs out of memory can take its
 * process along, so this is bounded here. Measured: two
 * pages at these bounds fit into 190 of the 256 MiB of a thread. At half as much a page of 200 KB with many elements is refused.
 */
const MOST_CHARACTERS = 400_000
const MOST_WEIGHT = 2_500_000
const ELEMENT_WEIGHT = 80

/** Reads any text as browsers do, and takes out what runs. `times`: the bounds of so many pages in one. Errors: PageDiffRefused `large`. */
export function readPage(parse5: Parse5, text: string, times = 1): Page {
  if (text.length > times * MOST_CHARACTERS) throw tooLarge()
  const document = parse5.parse(text, {
    scriptingEnabled: false,
    treeAdapter: boundedTree(parse5, times * MOST_WEIGHT),
  })
  const { html: names, defaultTreeAdapter: tree } = parse5
  const part = (nodes: readonly Node[], name: string) =>
    elementIn(nodes, name) ?? tree.createElement(name, names.NS.HTML, [])
  const html = part(document.childNodes, 'html')
  const [head, body] = [part(html.childNodes, 'head'), part(html.childNodes, 'body')]
  const moved: Node[] = []
  const content = showable(body.childNodes, moved)
  return {
    isQuirky: document.mode === names.DOCUMENT_MODE.QUIRKS,
    html: { ...html, attrs: showableAttributes(html) },
    head: {
      ...head,
      attrs: showableAttributes(head),
      childNodes: [...showable(head.childNodes, null), ...moved],
    },
    body: { ...body, attrs: showableAttributes(body), childNodes: content },
  }
}

function boundedTree({ defaultTreeAdapter: tree }: Parse5, most: number): Parse5['defaultTreeAdapter'] {
  let left = most
  return {
    ...tree,
    createElement(name, namespace, attrs) {
      left -= ELEMENT_WEIGHT + attrs.reduce((sum, { value }) => sum + value.length, name.length)
      if (left < 0) throw tooLarge()
      return tree.createElement(name, namespace, attrs)
    },
  }
}

function tooLarge(): PageDiffRefused {
  return new PageDiffRefused('large', 'The page is too large to be compared: look at it by itself.')
}

function elementIn(nodes: readonly Node[], name: string): Element | undefined {
  return nodes.filter(isElement).find(({ tagName }) => tagName === name)
}

/** The page as one text. */
export function writePage(parse5: Parse5, { isQuirky, html, head, body }: Page): string {
  const whole = parse5.serializeOuter(withChildren(html, [head, body]))
  return isQuirky ? whole : `<!DOCTYPE html>${whole}`
}
