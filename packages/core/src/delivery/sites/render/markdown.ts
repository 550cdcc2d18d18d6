import type { YieldToLoop } from '../../../engine/event-loop.ts'

// The most characters of a text, and of one of its paragraphs.
const longest = 256 * 1024
const longestParagraph = 32 * 1024

/**
 * The most emphases of a paragraph times its characters. The parser takes about 15 ns for each and
 * cannot be interrupted, so this limit is about 40 ms. A paragraph of 2 KB has about 20 000.
 */
const mostParseSteps = 2_500_000

/**
 * The most lines, list and quote markers, and markers at the start of one line. Parsing that many
 * blocks takes about 40 ms.
 */
const mostLines = 8_000
const mostMarkers = 5_000
const mostNested = 100

/** Blocks that are rendered together and sanitized as one part. */
const tokensAtOnce = 50

const markers = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/gm
const marker = /[-*+>.)]/g

/**
 * Renders GitHub-flavored Markdown to HTML, which is not sanitized. Returns parts that are complete
 * on their own. Yields to the event loop between its steps. Errors: for a text that is too long or
 * would take too long.
 */
export async function htmlOfMarkdown(markdown: string, yieldToLoop: YieldToLoop): Promise<string[]> {
  if (markdown === '') return []
  if (markdown.length > longest) throw new Error(`a Markdown text is longer than ${longest} characters`)
  requireFewBlocks(markdown)
  const { Lexer, Parser } = await import('marked')
  const lexer = new Lexer({ gfm: true })
  const tokens = lexer.blockTokens(markdown.replaceAll(/\r\n|\r/g, '\n'), lexer.tokens)
  for (const { src, tokens: inline } of lexer.inlineQueue) {
    await yieldToLoop()
    requireShort(src)
    lexer.inlineTokens(src, inline)
  }
  const parts: string[] = []
  for (let at = 0; at < tokens.length; at += tokensAtOnce) {
    await yieldToLoop()
    parts.push(Parser.parse(tokens.slice(at, at + tokensAtOnce)))
  }
  // An HTML element may end in a later part.
  return tokens.some(({ type }) => type === 'html') ? [parts.join('')] : parts
}

function requireFewBlocks(markdown: string): void {
  const most = markdown.split('\n', mostLines + 1).length
  if (most > mostLines) throw new Error(`a Markdown text has more than ${mostLines} lines`)
  let count = 0
  for (const [start] of markdown.matchAll(markers)) {
    const nested = start.match(marker)?.length ?? 0
    if (nested > mostNested)
      throw new Error(`a Markdown text nests lists and quotes deeper than ${mostNested}`)
    count += nested
  }
  if (count > mostMarkers)
    throw new Error(`a Markdown text has more than ${mostMarkers} entries of lists and quotes`)
}

function requireShort(paragraph: string): void {
  const emphases = paragraph.match(/[*_~]+/g)?.length ?? 0
  if (emphases * paragraph.length > mostParseSteps)
    throw new Error('a Markdown text has too many * or _ in one paragraph')
  if (paragraph.length > longestParagraph)
    throw new Error(`a paragraph of a Markdown text is longer than ${longestParagraph} characters`)
}

/** Sanitized HTML, which output does not escape. Filters see it as text. */
export class SafeHtml {
  readonly html: string

  constructor(html: string) {
    this.html = html
  }

  toString(): string {
    return this.html
  }

  valueOf(): string {
    return this.html
  }

  toJSON(): string {
    return this.html
  }

  /** Called by the operator `contains`. */
  indexOf(part: unknown): number {
    return this.html.indexOf(String(part))
  }
}

/**
 * Marks HTML as safe. Empty HTML becomes an empty string, so that templates can compare it with
 * `blank`.
 */
export function safeHtml(html: string): SafeHtml | '' {
  return html === '' ? '' : new SafeHtml(html)
}
