import { marked } from 'marked'
import { decodeText } from '../decode.ts'
import { writeMarkup } from './html.ts'
import type { Sheet } from './sheet.ts'

/**
 * Writes the text of GitHub-flavored Markdown without its markup. If it cannot be parsed, the
 * source is written unchanged. Errors: for bytes that are not text.
 */
export function readMarkdown(bytes: Uint8Array, sheet: Sheet): void {
  const source = decodeText(bytes)?.slice(0, mostParsed)
  if (source === undefined) throw new Error('The file is not text.')
  const html = htmlOf(source)
  if (html === null) sheet.write(source)
  else writeMarkup(html, sheet)
}

// Characters. No more than this is stored of a text in any case.
const mostParsed = 1024 * 1024

function htmlOf(source: string): string | null {
  try {
    return marked.parse(source, { async: false, gfm: true })
  } catch {
    // Deeply nested quotes overflow the stack.
    return null
  }
}
