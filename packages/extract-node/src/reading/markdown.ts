import { marked } from 'marked'
import { decodeText } from '../decode.ts'
import { writeMarkup } from './html.ts'
import type { Sheet } from './sheet.ts'

/** Writes the text of Markdown (GitHub's) without its markup. What cannot be parsed is written as it stands. Errors: for bytes that are no text. */
export function readMarkdown(bytes: Uint8Array, sheet: Sheet): void {
  const source = decodeText(bytes)?.slice(0, mostParsed)
  if (source === undefined) throw new Error('The file is no text.')
  const html = htmlOf(source)
  if (html === null) sheet.write(source)
  else writeMarkup(html, sheet)
}

// Characters. No more than this is kept of a text in any case.
const mostParsed = 1024 * 1024

function htmlOf(source: string): string | null {
  try {
    return marked.parse(source, { async: false, gfm: true })
  } catch {
    // Quotes in quotes in quotes: more than the stack has room for.
    return null
  }
}
