import { type Element, type Node, isElement, isHtml, isText, textNode, textOf } from './tree.ts'

/**
 * Nodes with all that runs, leads elsewhere by itself or is never shown taken out: scripts, templates, comments, handlers, addresses that are
 * code. Where `moved` is given the nodes are those of a body: styles and links are moved there. The nodes themselves are changed.
 */
export function showable(nodes: readonly Node[], moved: Node[] | null, depth = 0): Node[] {
  return nodes.flatMap((node) => {
    if (isText(node)) return [textNode(lines(node.value))]
    return isElement(node) ? showableElement(node, moved, depth) : []
  })
}

/**
 * Elements in each other. Browsers stop at 512. What is deeper becomes its text, so that the recursion over a page is bounded: at ten times
 * this the stack of a thread overflows.
 */
const MOST_DEEP = 300

const gone = new Set(
  'script template base applet bgsound embed frame frameset noembed noframes param portal'.split(' '),
)
const inHead = new Set(['style', 'link', 'meta', 'title'])
const verbatim = new Set(['plaintext', 'xmp', 'listing'])
const keptHttpEquiv = new Set(['content-language', 'content-type', 'default-style', 'x-ua-compatible'])

function showableElement(element: Element, moved: Node[] | null, depth: number): Node[] {
  const name = element.tagName
  if (gone.has(name.toLowerCase()) || isUnseen(element)) return []
  if (depth > MOST_DEEP) return [textNode(textOf(element.childNodes))]
  if (name === 'noscript' || !isPlainName(name)) return showable(element.childNodes, moved, depth + 1)
  if (verbatim.has(name) && isHtml(element)) element.tagName = element.nodeName = 'pre'
  element.attrs = showableAttributes(element)
  element.childNodes = childrenOf(element, moved, depth)
  for (const child of element.childNodes) child.parentNode = element
  return moved ? moveFrom(element, moved) : [element]
}

/** What belongs into a head does not stay in the body. */
function moveFrom(element: Element, moved: Node[]): Node[] {
  if (!isHtml(element) || !inHead.has(element.tagName)) return [element]
  if (element.tagName === 'style' || element.tagName === 'link') moved.push(element)
  return []
}

function isUnseen(element: Element): boolean {
  if (element.tagName === 'input') return valueOf(element, 'type') === 'hidden'
  if (element.tagName !== 'meta') return false
  const equivalent = valueOf(element, 'http-equiv')
  return equivalent !== null && !keptHttpEquiv.has(equivalent)
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

/** Parsers leave out a line break that follows `<pre>`: what is written must not begin with one. */
function withoutFirstBreak(children: Node[]): Node[] {
  const [first, ...others] = children
  if (!first || !isText(first)) return children
  const value = first.value.replace(/^\n+/, '')
  return value === '' ? withoutFirstBreak(others) : [textNode(value), ...others]
}

/** In a stylesheet `\3c ` is `<`: no reader that looks for tags alone finds one. */
function withoutTags(css: string): string {
  return lines(css).replaceAll(/<(?=[/!a-z])/gi, String.raw`\3c `)
}

/** As parsers read line breaks that are not written as `&#13;`. */
function lines(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text
}

function isPlainName(name: string): boolean {
  return /^[a-z][\w:.-]*$/i.test(name)
}

/** The attributes of an element without what runs. */
export function showableAttributes({ attrs }: Element): Element['attrs'] {
  return attrs
    .filter(({ name, value }) => isPlainName(name) && !runs(name.toLowerCase(), value))
    .map((attribute) => ({ ...attribute, value: lines(attribute.value) }))
}

const addresses = new Set(
  'href src srcset action formaction data poster background cite codebase values from to by'.split(' '),
)
const code = /(?:^|[;,])(?:javascript:|vbscript:|data:(?!image\/|audio\/|video\/|font\/|text\/css))/i

function runs(name: string, value: string): boolean {
  if (/^(?:on|srcdoc$|ping$|autofocus$)/.test(name)) return true
  // Browsers leave out blanks and control characters where an address begins.
  return addresses.has(name) && code.test(value.replaceAll(/[\s\p{Cc}]/gu, ''))
}
