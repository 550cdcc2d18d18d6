import { Parser } from 'htmlparser2'
import { decodeText } from '../decode.ts'
import type { Sheet } from './sheet.ts'

/**
 * Writes the text of a page: entities decoded, without markup, scripts and styles. Errors: for
 * bytes that are not text.
 */
export function readHtml(bytes: Uint8Array, sheet: Sheet): void {
  const page = decodeText(bytes, namedEncoding(bytes))
  if (page === null) throw new Error('The page is not text.')
  writeMarkup(page, sheet)
}

/** Writes the text of markup without building a tree. */
export function writeMarkup(markup: string, sheet: Sheet): void {
  let depth = 0
  let hidden = 0
  const parser = new Parser({
    onopentagname(name) {
      depth += 1
      if (unseen.has(name)) hidden += 1
      if (!inline.has(name)) sheet.write('\n')
    },
    onclosetag(name) {
      depth -= 1
      if (unseen.has(name)) hidden -= 1
      if (!inline.has(name)) sheet.write('\n')
    },
    ontext(text) {
      if (hidden === 0) sheet.write(text)
    },
  })
  for (let start = 0; start < markup.length; start += slice) {
    if (depth > mostDepth || sheet.isFull()) return
    parser.write(markup.slice(start, start + slice))
  }
  parser.end()
}

/**
 * Most levels of nested elements. For each element that opens, the parser moves all open ones:
 * 200 000 take 90 s. Pages that forget closing tags have hundreds.
 */
export const mostDepth = 5000

// Characters between checks of depth and time: about a millisecond.
const slice = 16 * 1024

const unseen: ReadonlySet<string> = new Set([
  'script',
  'style',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
])

/** Elements that do not separate words. All others start a new line. */
const inline: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rb s samp small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

/** The encoding that a page names within its first kilobyte, as browsers look for it. */
function namedEncoding(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('windows-1252').decode(bytes.subarray(0, 1024))
  const [, name] = /<meta[^>]+charset\s*=\s*["']?\s*([\w:-]+)/i.exec(head) ?? []
  // A page whose head is readable like this is not in UTF-16, whatever it says.
  return name?.toLowerCase().startsWith('utf-16') ? 'utf-8' : name
}
