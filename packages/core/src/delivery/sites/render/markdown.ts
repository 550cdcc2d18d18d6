import type { YieldToLoop } from '../../../engine/event-loop.ts'

// Characters: of a text, and of a paragraph of it.
const longest = 256 * 1024
const longestParagraph = 32 * 1024

/**
 * Emphases of a paragraph times its characters. What the parser takes grows with it (some 15 ns each), and nothing can stop it once it
 * runs: as many are 40 ms. A paragraph of 2 KB has some 20 000.
 */
const mostWork = 2_500_000

/** Lines, and signs of lists and quotes that lines begin with; such signs of one line. To find as many blocks takes some 40 ms. */
const mostLines = 8_000
const mostSigns = 5_000
const mostNested = 100

/** Pieces of a text that are sanitized at once. */
const tokensAtOnce = 50

const signs = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/gm
const sign = /[-*+>.)]/g

/**
 * Markdown (GitHub's) as HTML, not sanitized: in parts each of which stands for itself. Others get their turn between its steps. Errors: for a
 * text that is too long, or made to take too long.
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
  // An element that is written as HTML may end in a later part.
  return tokens.some(({ type }) => type === 'html') ? [parts.join('')] : parts
}

function requireFewBlocks(markdown: string): void {
  const most = markdown.split('\n', mostLines + 1).length
  if (most > mostLines) throw new Error(`a Markdown text has more than ${mostLines} lines`)
  let count = 0
  for (const [start] of markdown.matchAll(signs)) {
    const nested = start.match(sign)?.length ?? 0
    if (nested > mostNested)
      throw new Error(`a Markdown text nests lists and quotes deeper than ${mostNested}`)
    count += nested
  }
  if (count > mostSigns)
    throw new Error(`a Markdown text has more than ${mostSigns} entries of lists and quotes`)
}

function requireShort(paragraph: string): void {
  const emphases = paragraph.match(/[*_~]+/g)?.length ?? 0
  if (emphases * paragraph.length > mostWork)
    throw new Error('a Markdown text has too many * or _ in one paragraph')
  if (paragraph.length > longestParagraph)
    throw new Error(`a paragraph of a Markdown text is longer than ${longestParagraph} characters`)
}

/** HTML that is safe as it is: output does not escape it again. For filters it is the text. */
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

  /** What the operator `contains` asks. */
  indexOf(part: unknown): number {
    return this.html.indexOf(String(part))
  }
}

/** HTML for output; nothing for none, so that templates can compare it with `blank`. */
export function safeHtml(html: string): SafeHtml | '' {
  return html === '' ? '' : new SafeHtml(html)
}
