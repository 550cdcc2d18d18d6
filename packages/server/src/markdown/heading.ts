import { limits } from '@quire/contract'
import { marked, type Token } from 'marked'

/**
 * The text of the first level-1 heading without formatting; undefined when there is none or it is
 * empty.
 */
export function headingOf(markdown: string): string | undefined {
  const heading = marked.lexer(markdown, { gfm: true }).find(isTitle)
  const text = heading && 'tokens' in heading ? plainText(heading.tokens ?? []) : ''
  const plain = text.replaceAll(/\s+/g, ' ').trim()
  return plain === '' ? undefined : cutToName(plain)
}

function isTitle(token: Token): boolean {
  return token.type === 'heading' && 'depth' in token && token.depth === 1
}

// Pictures are left out with their alternative texts: in a heading they are badges.
function plainText(tokens: readonly Token[]): string {
  return tokens.map(wordsOf).join('')
}

function wordsOf(token: Token): string {
  if (token.type === 'image' || token.type === 'html') return ''
  if (token.type === 'br') return ' '
  if ('tokens' in token && token.tokens) return plainText(token.tokens)
  return 'text' in token && typeof token.text === 'string' ? unescaped(token.text) : ''
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
}

function unescaped(text: string): string {
  return text.replaceAll(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => entities[entity] ?? entity)
}

/** Cuts a text to the length of a name, at a word boundary if that retains at least half of it. */
export function cutToName(text: string): string {
  if (text.length <= limits.name) return text
  const start = text.slice(0, limits.name)
  const space = text.slice(0, limits.name + 1).lastIndexOf(' ')
  const cut = space > limits.name / 2 ? start.slice(0, space) : start.replace(/[\ud800-\udbff]$/, '')
  return cut.trim()
}
