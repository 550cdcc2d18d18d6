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
