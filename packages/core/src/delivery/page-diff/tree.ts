import type * as parse5 from 'parse5'

/** What reads and writes HTML as browsers do. */
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

/** Whether an element is one of HTML, not of a drawing or a formula. */
export function isHtml({ namespaceURI }: Element): boolean {
  return namespaceURI.endsWith('/xhtml')
}

/** Text, to be escaped when it is written. */
export function textNode(value: string): Node {
  return { nodeName: '#text', value, parentNode: null }
}

/** The same element with other children. */
export function withChildren(element: Element, childNodes: Node[]): Element {
  return { ...element, childNodes }
}

/** The value of an attribute; undefined: it is not there. */
export function attributeOf({ attrs }: Element, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value
}

/** The same element with another value of an attribute. */
export function withAttribute(element: Element, name: string, value: string): Element {
  return { ...element, attrs: [...element.attrs.filter((stored) => stored.name !== name), { name, value }] }
}

/** The same element with one more class. */
export function withClass(element: Element, name: string): Element {
  return withAttribute(element, 'class', [attributeOf(element, 'class'), name].filter(Boolean).join(' '))
}

/** All text below some nodes, however deep. */
export function textOf(nodes: readonly Node[]): string {
  const texts: string[] = []
  const waiting = nodes.toReversed()
  for (let node = waiting.pop(); node; node = waiting.pop())
    if (isText(node)) texts.push(node.value)
    else if (isElement(node)) for (const child of node.childNodes.toReversed()) waiting.push(child)
  return texts.join('')
}
