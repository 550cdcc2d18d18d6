import { Parser } from 'htmlparser2'
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl'
import { mostDepth } from './html.ts'
import type { Sheet } from './sheet.ts'

/**
 * Writes the text of a Word document: first its body, then headers, footers, notes and comments.
 * Text that was deleted under tracked changes is left out.
 * Errors: for an archive that contains no document, or is too damaged to read any of it.
 */
export async function readDocx(bytes: Uint8Array, sheet: Sheet): Promise<void> {
  const archive = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), {
    lazyEntries: true,
  })
  const parts = await partsOf(archive, sheet)
  if (parts.length === 0) throw new Error('The archive contains no document.')
  const budget = { bytes: mostInflated }
  for (const part of parts) await readPart({ archive, part, budget }, sheet)
}

// Bytes of XML in all parts together. 1 MiB of text takes at most about 30 MiB of XML. Ten times as
// much is a bomb.
const mostInflated = 256 * 1024 * 1024

// Entries to search for parts: a document with a thousand pictures has 1 100.
const mostEntries = 20_000

const body = /^\/?word\/document\d*\.xml$/i
const beside = /^\/?word\/(?:header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/i

async function partsOf(archive: ZipFile, sheet: Sheet): Promise<Entry[]> {
  const bodies: Entry[] = []
  const others: Entry[] = []
  let seen = 0
  for await (const entry of archive.eachEntry()) {
    if (body.test(entry.fileName)) bodies.push(entry)
    else if (beside.test(entry.fileName)) others.push(entry)
    seen += 1
    if (seen >= mostEntries || sheet.isFull()) break
  }
  return [...bodies, ...others]
}

interface Part {
  readonly archive: ZipFile
  readonly part: Entry
  /** Bytes of XML that may still be read. */
  readonly budget: { bytes: number }
}

/**
 * Reads a part up to the first damage or the limits. Errors: when it cannot be read and no text was
 * found before.
 */
async function readPart({ archive, part, budget }: Part, sheet: Sheet): Promise<void> {
  const { parser, isTooDeep } = textParser(sheet)
  try {
    const decoder = new TextDecoder()
    for await (const chunk of await archive.openReadStreamPromise(part)) {
      parser.write(decoder.decode(chunk, { stream: true }))
      budget.bytes -= chunk.length
      if (budget.bytes <= 0 || isTooDeep() || sheet.isFull()) return
    }
  } catch (error) {
    if (sheet.isBlank()) throw error
  }
}

/**
 * Writes the content of the `t` elements of WordprocessingML, whatever their namespace prefix.
 * Entities of a DTD are never expanded.
 */
function textParser(sheet: Sheet): { parser: Parser; isTooDeep: () => boolean } {
  let depth = 0
  let inText = false
  const parser = new Parser(
    {
      onopentagname(name) {
        const tag = localName(name)
        depth += 1
        inText = tag === 't'
        const given = spoken.get(tag)
        if (given !== undefined) sheet.write(given)
      },
      onclosetag(name) {
        const tag = localName(name)
        depth -= 1
        inText = false
        if (ending.has(tag)) sheet.write('\n')
      },
      ontext(text) {
        if (inText) sheet.write(text)
      },
    },
    { xmlMode: true },
  )
  return { parser, isTooDeep: () => depth > mostDepth }
}

const spoken: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['br', '\n'],
  ['cr', '\n'],
  ['noBreakHyphen', '-'],
])

const ending: ReadonlySet<string> = new Set(['p', 'tc', 'tr'])

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
