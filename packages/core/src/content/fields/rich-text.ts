import { limits } from '@quire/contract'
import { graphType, reject, accept, plain, type FieldRules } from './rules.ts'

/**
 * A field that holds formatted text: HTML, which is sanitized on save, or Markdown, which is stored
 * unchanged.
 */
export const richText: FieldRules<'richText'> = {
  ...plain,
  tooLong(value, { format, maxLength }) {
    if (value.length > (maxLength ?? Infinity)) return null
    const max = maxLength ?? limits.richTextDefault
    if (value.length > max) return `must have at most ${max} characters`
    if (format !== 'html') return null
    if (countMarkup(value) > limits.richTextMarks)
      return `must have at most ${limits.richTextMarks} tags and entities`
    return isTooDeep(value) ? tooDeep : null
  },
  async check(value, { format, maxLength = Infinity }) {
    if (typeof value !== 'string') return reject('must be text')
    if (value.length > maxLength) return reject(`must have at most ${maxLength} characters`)
    if (format !== 'html') return accept(value)
    return isTooDeep(value) ? reject(tooDeep) : accept(await sanitizeHtml(value))
  },
  comparison: null,
  canBeUnique: false,
  searchText: plainTextOf,
  isProse: true,
  merge: { single: 'lines', list: 'value' },
  graphql: graphType('String'),
}

/**
 * The tags that rich text may use. Other tags are removed and their content stays, except that
 * scripts and styles are removed with their content.
 */
const allowedTags = [
  'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'p', 'br', 'hr', 'blockquote', 'pre', 'code', 'kbd', 'samp', 'var',
  'ul', 'ol', 'li', 'dl', 'dt', 'dd', 'a', 'abbr', 'b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'mark',
  'small', 'sub', 'sup', 'q', 'cite', 'time', 'span', 'div', 'section', 'article', 'figure', 'figcaption', 'img',
  'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td', 'col', 'colgroup', 'details', 'summary',
] // prettier-ignore

/** The allowed attributes of each tag. Styles and event handlers are not allowed. */
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

/**
 * Removes everything from HTML that is not on the allow-list of tags and attributes, so that it
 * cannot run code. URLs may be relative or use http, https or mailto.
 */
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

/**
 * The deepest nesting of elements that is accepted. The parser's time grows with the square of the
 * depth: a depth of 5 000 takes about 50 ms.
 */
export const maxHtmlDepth = 5000

const tooDeep = `must not contain elements nested more than ${maxHtmlDepth} deep`

/**
 * Counts the `<` and `&` of a text, with which tags and entities begin. Each costs the sanitizer
 * some µs; plain text costs almost nothing.
 */
export function countMarkup(html: string): number {
  let count = 0
  for (let at = 0; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === lessThan || code === ampersand) count += 1
  }
  return count
}

const lessThan = 60
const ampersand = 38

// Void elements do not nest. A match ends before the next `<`, so no text is scanned twice.
const tag = /<(?!(?:br|hr|img|col|wbr|input|link|meta|source)\b)(\/?)[a-z][^<>]*>/gi

/**
 * Whether elements are nested deeper than `maxHtmlDepth`. An element without an end tag counts as
 * still open.
 */
export function isTooDeep(html: string): boolean {
  let depth = 0
  for (const [, slash] of html.matchAll(tag)) {
    depth = Math.max(0, depth + (slash === '/' ? -1 : 1))
    if (depth > maxHtmlDepth) return true
  }
  return false
}

// A match ends before the next `<`. Otherwise a text full of `<` would be scanned to its end from
// each one.
const markup = /<[^<>]*>/g

/**
 * The text of rich text without markup, for search. Decodes the entities that sanitized HTML can
 * contain.
 */
export function plainTextOf(richText: string): string {
  return (
    richText
      .replace(markup, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&nbsp;', ' ')
      // Must be last, so that its output is not decoded again.
      .replaceAll('&amp;', '&')
  )
}
