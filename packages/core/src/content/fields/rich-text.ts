import { limits } from '@quire/contract'
import { graphType, no, ok, plain, type FieldRules } from './rules.ts'

/** Prose with markup: HTML, which is sanitised when it is saved, or Markdown, which is stored as it is. */
export const richText: FieldRules<'richText'> = {
  ...plain,
  tooLong(value, { format, maxLength }) {
    if (value.length > (maxLength ?? Infinity)) return null
    const most = maxLength ?? limits.richTextDefault
    if (value.length > most) return `must have at most ${most} characters`
    if (format !== 'html') return null
    if (stateOf(value) > limits.richTextMarks)
      return `must have at most ${limits.richTextMarks} tags and entities`
    return isTooDeep(value) ? tooDeep : null
  },
  async check(value, { format, maxLength = Infinity }) {
    if (typeof value !== 'string') return no('must be text')
    if (value.length > maxLength) return no(`must have at most ${maxLength} characters`)
    if (format !== 'html') return ok(value)
    return isTooDeep(value) ? no(tooDeep) : ok(await sanitizeHtml(value))
  },
  comparison: null,
  canBeUnique: false,
  searchText: plainTextOf,
  isProse: true,
  merge: { single: 'lines', list: 'value' },
  graphql: graphType('String'),
}

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

const tooDeep = `must not hold elements nested deeper than ${deepestHtml}`

/** The signs of a text that cost its sanitizer time, some µs each: tags and entities begin with them. A text of letters costs next to nothing. */
export function stateOf(html: string): number {
  let count = 0
  for (let at = 0; at < html.length; at += 1) {
    const code = html.charCodeAt(at)
    if (code === lessThan || code === ampersand) count += 1
  }
  return count
}

const lessThan = 60
const ampersand = 38

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

// Ends at the next `<`: else a text of them would be walked to its end from each.
const markup = /<[^<>]*>/g

/** What rich text says, without markup: for search. Names of characters that sanitised HTML may hold are those characters. */
export function plainTextOf(richText: string): string {
  return (
    richText
      .replace(markup, ' ')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'")
      .replaceAll('&nbsp;', ' ')
      // The last: what it makes is no name of a character.
      .replaceAll('&amp;', '&')
  )
}
