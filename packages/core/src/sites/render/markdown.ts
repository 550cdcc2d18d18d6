// Characters.
const longest = 256 * 1024

/**
 * Emphases of a paragraph times its characters, in a whole text. What the parser takes grows with it (some 15 ns each), and nothing can
 * stop it once it runs: as many are 0.7 s. A page of 100 KB has some 100 000.
 */
const mostWork = 50_000_000

// A list item or heading ends the paragraph before it; other lines may go on with it.
const paragraphEnd = /\n(?=[ \t]*(?:\n|[-*+] +\S|#{1,6} ))/

/** Markdown (GitHub's) as HTML, not sanitized. Errors: for a text that is too long, or made to take too long. */
export async function htmlOfMarkdown(markdown: string): Promise<string> {
  if (markdown === '') return ''
  if (markdown.length > longest) throw new Error(`a Markdown text is longer than ${longest} characters`)
  if (workOf(markdown) > mostWork) throw new Error('a Markdown text has too many * or _ in one paragraph')
  const { Marked } = await import('marked')
  return new Marked().parse(markdown, { async: false, gfm: true })
}

function workOf(markdown: string): number {
  const works = markdown.split(paragraphEnd).map((part) => (part.match(/[*_]+/g)?.length ?? 0) * part.length)
  return works.reduce((sum, work) => sum + work, 0)
}
