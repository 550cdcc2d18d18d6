import type { ParseResult, Parser } from 'papaparse'
import { invalid } from '../../engine/check-input.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import type { Json, JsonObject } from '../../ports/index.ts'

/** What a spreadsheet takes for a formula, with the apostrophes that already protect it. */
const formula = /^'*[=+\-@\t\r]/

/** Writes pages of rows as CSV, beginning with the header. */
export function csvRows(names: readonly string[]) {
  return async function* (pages: AsyncIterable<readonly JsonObject[]>): AsyncGenerator<Uint8Array> {
    const { default: Papa } = await import('papaparse')
    const encoder = new TextEncoder()
    const text = (rows: readonly (readonly string[])[]) =>
      encoder.encode(
        `${Papa.unparse(
          rows.map((row) => [...row]),
          { newline: '\r\n' },
        )}\r\n`,
      )
    yield text([names])
    for await (const page of pages)
      if (page.length > 0) yield text(page.map((row) => names.map((name) => cellOf(row[name] ?? null))))
  }
}

function cellOf(value: Json): string {
  if (value === null) return ''
  if (typeof value !== 'string') return typeof value === 'object' ? JSON.stringify(value) : String(value)
  return formula.test(value) ? `'${value}` : value
}

/** A row of CSV. */
export interface CsvRow {
  readonly names: readonly string[]
  readonly cells: Readonly<Record<string, string>>
  /** Why it is no row; null if it is one. */
  readonly problem: string | null
}

/** Characters that are parsed at once, which takes a few milliseconds. A longer row is parsed as a whole. */
const usualChunk = 256 * 1024

const longestRow = 2 * 1024 ** 2

/** Cells of a row. Each becomes a member of an object, which takes longer than its text. */
const mostCells = 5000

/** The rows of a CSV text, a chunk at a time. Errors: `invalid` for a row that is too long. */
export async function* csvCells(text: string): AsyncGenerator<CsvRow> {
  const longest = await measureRows(text)
  for await (const { data, meta, errors } of chunksOf(text, Math.max(usualChunk, longest + 2))) {
    const problems = new Map(errors.map(({ row, message }) => [row, message]))
    for (const [index, cells] of data.entries())
      yield { names: meta.fields ?? [], cells, problem: problems.get(index) ?? null }
  }
}

/** The length of the longest row, in characters. Errors: `invalid` for a row that is too long. */
async function measureRows(text: string): Promise<number> {
  const yieldToLoop = yieldingToLoop()
  let longest = 0
  let rows = 0
  for (let start = 0; start < text.length; rows += 1) {
    const { end, cells } = measureRow(text, start)
    longest = Math.max(longest, end - start)
    if (longest > longestRow) throw badRow('characters', longestRow)
    if (cells > mostCells) throw badRow('cells', mostCells)
    start = end
    if (rows % 1000 === 0) await yieldToLoop()
  }
  return longest
}

function badRow(what: string, most: number) {
  return invalid([{ path: 'file', message: `has a row of more than ${most} ${what}` }])
}

const signs = { quote: 0x22, lineEnd: 0x0a, carriageReturn: 0x0d } as const

// Whatever separates the cells of a file is found later, so that any of them counts.
const separators: ReadonlySet<number> = new Set([',', ';', '\t', '|'].map((sign) => sign.charCodeAt(0)))

/** Where a row ends, after its line end, and how many cells it has at most. Stops where it is too long. */
function measureRow(text: string, start: number): { readonly end: number; readonly cells: number } {
  let cells = 1
  let isCellStart = true
  for (let at = start; at < text.length; at += 1) {
    const sign = text.charCodeAt(at)
    if (sign === signs.lineEnd || sign === signs.carriageReturn) return { end: at + 1, cells }
    if (isCellStart && sign === signs.quote) at = endOfQuoted(text, at)
    isCellStart = separators.has(sign)
    if (isCellStart) cells += 1
    if (cells > mostCells || at - start > longestRow) return { end: at + 1, cells }
  }
  return { end: text.length, cells }
}

/** The position of the quote that ends a quoted cell; two quotes are one in the cell. */
function endOfQuoted(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 2))
    if (text.charCodeAt(end + 1) !== signs.quote) return end
  return text.length
}

type Chunk = ParseResult<Record<string, string>>

/** Parses a chunk when the one before was read. */
async function* chunksOf(text: string, chunkSize: number): AsyncGenerator<Chunk> {
  const { default: Papa } = await import('papaparse')
  let parser: Parser | undefined
  const chunks = new ReadableStream<Chunk>(
    {
      start: (controller) => {
        Papa.parse<Record<string, string>>(text, {
          header: true,
          skipEmptyLines: true,
          chunkSize,
          transform: (cell) => (formula.test(cell) && cell.startsWith("'") ? cell.slice(1) : cell),
          chunk: (result: Chunk, handle: Parser) => {
            parser = handle
            handle.pause()
            controller.enqueue(result)
          },
          complete: () => controller.close(),
        })
      },
      pull: () => parser?.resume(),
      cancel: () => parser?.abort(),
    },
    { highWaterMark: 0 },
  )
  const reader = chunks.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
