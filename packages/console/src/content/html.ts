/**
 * Whether an HTML text may have handlers of events. The service stores none. A browser parses them without
 * running them, but reports a violation of the page's policy.
 */
export function mayHaveHandlers(html: string): boolean {
  return handler.test(html)
}

const handler = /\son\w+\s*=/i

/** HTML as it is stored: an entry of a list that is one paragraph is written without it. */
export function storedHtml(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const entry of body.querySelectorAll('li')) {
    const [only, other] = entry.children
    if (only?.tagName === 'P' && other === undefined) only.replaceWith(...only.childNodes)
  }
  return body.innerHTML
}

/** Whether two HTML texts are the same to people: spaces between blocks and older names of formats do not count. */
export function isSameHtml(one: string, other: string): boolean {
  return normalized(one) === normalized(other)
}

const sameNames: Readonly<Record<string, string>> = { b: 'strong', i: 'em' }

function normalized(html: string): string {
  const { body } = new DOMParser().parseFromString(storedHtml(html), 'text/html')
  return [...body.childNodes].map(nodeText).join('')
}

function nodeText(node: Node): string {
  if (node instanceof Text) return node.data.trim() === '' ? '' : node.data.replaceAll(/\s+/g, ' ')
  if (!(node instanceof Element)) return ''
  const tag = node.tagName.toLowerCase()
  const name = sameNames[tag] ?? tag
  const attributes = [...node.attributes].map(({ name: key, value }) => `${key}=${value}`).toSorted()
  const inner = [...node.childNodes].map(nodeText).join('')
  return `<${[name, ...attributes].join(' ')}>${inner.trim()}</${name}>`
}
