/** The tags that rich text may use; everything else is unwrapped, scripts and styles go with what they hold. */
const allowedTags = [
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'var',
  'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'abbr', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark',
  'small', 'sub', 'sup', 'q', 'cite', 'time', 'span', 'div', 'section', 'article', 'figure', 'figcaption', 'img',
  'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'col', 'colgroup', 'details', 'summary',
] // prettier-ignore

/** Attributes by tag; no style, no handlers. */
const allowedAttributes = {
  '*': ['id', 'class', 'lang', 'dir', 'title'],
  a: ['href', 'rel', 'target'],
  img: ['src', 'alt', 'width', 'height', 'loading'],
  time: ['datetime'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  ol: ['start', 'reversed'],
  col: ['span'],
}

/** HTML that runs nothing: an allow-list of tags and attributes, addresses of http, https, mailto and relative ones. */
export async function sanitizeHtml(html: string): Promise<string> {
  if (!html.includes('<') && !html.includes('&')) return html
  const { default: sanitize } = await import('sanitize-html')
  return sanitize(html, {
    allowedTags,
    allowedAttributes,
    allowedSchemes: ['http', 'https', 'mailto'],
    parseStyleAttributes: false,
  })
}

/** Elements in one another from which on HTML is refused: what the parser takes grows with the square of them, 5 000 take some 50 ms. */
export const deepestHtml = 5000

// Elements without an end are no nesting. Ends at the next `<`, so no text is walked twice.
const tag = /<(?!(?:br|hr|img|col|wbr|input|link|meta|source)\b)(\/?)[a-z][^<>]*>/gi

/** Whether elements stand in one another deeper than anybody writes. Those whose end was left out count as if they stayed open. */
export function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, slash] of html.matchAll(tag)) {
    depth = Math.max(0, depth + (slash === '/' ? -1 : 1))
    if (depth > deepestHtml) return true
  }
  return false
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

// Ends at the next `<`: else a text of them would be walked to its end from each.
const markup = /<[^<>]*>/g

/** What rich text says, without markup: for search. Names of characters that sanitised HTML may hold are those characters. */
export function plainTextOf(richText: string): string {
  return richText
    .replace(markup, ' ')
    .replaceAll(/&(amp|lt|gt|quot|apos|nbsp);/g, (whole, name: string) => entities[name] ?? whole)
}
