import type * as parse5 from 'parse5'
import { PageDiffRefused } from '../../ports/index.ts'

/** A page that is safe to show, because nothing in it can run. */
export interface Page {
  /** Whether browsers render it in quirks mode, because it has no doctype. */
  readonly isQuirky: boolean
  readonly html: Element
  readonly head: Element
  readonly body: Element
}

/**
 * The most characters of a page, and the most weight of its elements. An element weighs its
 * characters, plus a constant for the memory it takes. A short text can become any number of
 * elements, because browsers repeat unclosed formatting elements in each paragraph. A thread that
 * runs out of memory can crash its process, so the limit is enforced here. Measured: two pages
 * at these limits fit into 190 of a thread's 256 MiB. At half, a page of 200 KB with many elements
 * is refused.
 */
const MOST_CHARACTERS = 400_000
const MOST_WEIGHT = 2_500_000
const ELEMENT_WEIGHT = 80

/**
 * Parses any text as browsers do, and removes everything that can run. `times` multiplies the
 * limits. Errors: PageDiffRefused `large`.
 */
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
  return new PageDiffRefused('large', 'The page is too large to be compared: view it on its own.')
}

function elementIn(nodes: readonly Node[], name: string): Element | undefined {
  return nodes.filter(isElement).find(({ tagName }) => tagName === name)
}

/** Serializes a page. */
export function writePage(parse5: Parse5, { isQuirky, html, head, body }: Page): string {
  const whole = parse5.serializeOuter(withChildren(html, [head, body]))
  return isQuirky ? whole : `<!DOCTYPE html>${whole}`
}

/**
 * Removes everything that runs, navigates by itself or is never visible: scripts, templates,
 * comments, handlers, and URLs that are code. `moved` is given for the nodes of a body, and
 * receives its styles and links. Changes the given nodes.
 */
function showable(nodes: readonly Node[], moved: Node[] | null, depth = 0): Node[] {
  return nodes.flatMap((node) => {
    if (isText(node)) return [textNode(normalizeLineBreaks(node.value))]
    return isElement(node) ? showableElement(node, moved, depth) : []
  })
}

/**
 * The deepest nesting of elements. Browsers stop at 512. Deeper elements are reduced to their text,
 * which limits the recursion over a page. At ten times the value, the stack of a thread overflows.
 */
const MOST_DEEP = 300

const removedElements = new Set(
  'script template base applet bgsound embed frame frameset noembed noframes param portal'.split(' '),
)
const inHead = new Set(['style', 'link', 'meta', 'title'])
const verbatim = new Set(['plaintext', 'xmp', 'listing'])
const allowedHttpEquiv = new Set(['content-language', 'content-type', 'default-style', 'x-ua-compatible'])

function showableElement(element: Element, moved: Node[] | null, depth: number): Node[] {
  const name = element.tagName
  if (removedElements.has(name.toLowerCase()) || isInvisible(element)) return []
  if (depth > MOST_DEEP) return [textNode(textOf(element.childNodes))]
  if (name === 'noscript' || !isPlainName(name)) return showable(element.childNodes, moved, depth + 1)
  if (verbatim.has(name) && isHtml(element)) element.tagName = element.nodeName = 'pre'
  element.attrs = showableAttributes(element)
  element.childNodes = childrenOf(element, moved, depth)
  for (const child of element.childNodes) child.parentNode = element
  return moved ? moveToHead(element, moved) : [element]
}

/** Takes elements that belong in the head out of the body. */
function moveToHead(element: Element, moved: Node[]): Node[] {
  if (!isHtml(element) || !inHead.has(element.tagName)) return [element]
  if (element.tagName === 'style' || element.tagName === 'link') moved.push(element)
  return []
}

function isInvisible(element: Element): boolean {
  if (element.tagName === 'input') return valueOf(element, 'type') === 'hidden'
  if (element.tagName !== 'meta') return false
  const equivalent = valueOf(element, 'http-equiv')
  return equivalent !== null && !allowedHttpEquiv.has(equivalent)
}

function valueOf({ attrs }: Element, name: string): string | null {
  return (
    attrs
      .find((attribute) => attribute.name === name)
      ?.value.trim()
      .toLowerCase() ?? null
  )
}

function childrenOf(element: Element, moved: Node[] | null, depth: number): Node[] {
  const { tagName, childNodes } = element
  if (tagName === 'iframe') return []
  if (tagName === 'style' && isHtml(element)) return [textNode(withoutTags(textOf(childNodes)))]
  const children = showable(childNodes, moved, depth + 1)
  return tagName === 'pre' || tagName === 'textarea' ? withoutFirstBreak(children) : children
}

/** Parsers drop a line break directly after `<pre>`, so the content must not start with one. */
function withoutFirstBreak(children: Node[]): Node[] {
  const [first, ...others] = children
  if (!first || !isText(first)) return children
  const value = first.value.replace(/^\n+/, '')
  return value === '' ? withoutFirstBreak(others) : [textNode(value), ...others]
}

/** Escapes `<` as `\3c ` in a stylesheet, so that a reader that only looks for tags finds none. */
function withoutTags(css: string): string {
  return normalizeLineBreaks(css).replaceAll(/<(?=[/!a-z])/gi, String.raw`\3c `)
}

/** Normalizes line breaks like parsers do. */
function normalizeLineBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function isPlainName(name: string): boolean {
  return /^[a-z][\w:.-]*$/i.test(name)
}

/** The attributes of an element without those that run code. */
function showableAttributes({ attrs }: Element): Element['attrs'] {
  return attrs
    .filter(({ name, value }) => isPlainName(name) && !isActive(name.toLowerCase(), value))
    .map((attribute) => ({ ...attribute, value: normalizeLineBreaks(attribute.value) }))
}

const addresses = new Set(
  'href src srcset action formaction data poster background cite codebase values from to by'.split(' '),
)
const code = /(?:^|[;,])(?:javascript:|vbscript:|data:(?!image\/|audio\/|video\/|font\/|text\/css))/i

function isActive(name: string, value: string): boolean {
  if (/^(?:on|srcdoc$|ping$|autofocus$)/.test(name)) return true
  // Browsers ignore white space and control characters at the start of a URL.
  return addresses.has(name) && code.test(value.replaceAll(/[\s\p{Cc}]/gu, ''))
}

/** The library that parses and serializes HTML as browsers do. */
export type Parse5 = typeof parse5
/** A node below an element. */
export type Node = parse5.DefaultTreeAdapterTypes.ChildNode
/** An element with its attributes and children. */
export type Element = parse5.DefaultTreeAdapterTypes.Element

/** Whether a node is an element. */
export function isElement(node: Node): node is Element {
  return 'tagName' in node
}

/** Whether a node is text. */
export function isText(node: Node): node is parse5.DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text'
}

/** Whether an element is HTML, not SVG or MathML. */
function isHtml({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/xhtml')
}

/** Creates a text node, which is escaped when it is serialized. */
export function textNode(value: string): Node {
  return { nodeName: '#text', value, parentNode: null }
}

/** A copy of an element with other children. */
export function withChildren(element: Element, childNodes: Node[]): Element {
  return { ...element, childNodes }
}

/** The value of an attribute; undefined when the element does not have it. */
export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value
}

/** A copy of an element with another value of an attribute. */
export function withAttribute(element: Element, name: string, value: string): Element {
  return {
    ...element,
    attrs: [...element.attrs.filter((attribute) => attribute.name !== name), { name, value }],
  }
}

/** A copy of an element with an additional class. */
export function withClass(element: Element, name: string): Element {
  return withAttribute(element, 'class', [attributeOf(element, 'class'), name].filter(Boolean).join(' '))
}

/** All text in some nodes, at any depth. */
export function textOf(nodes: readonly Node[]): string {
  const texts: string[] = []
  const waiting = nodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop())
    if (isText(node)) texts.push(node.value)
    else if (isElement(node)) for (const child of node.childNodes.toReversed()) waiting.push(child)
  return texts.join('')
}
