import type { ParseResult, Parser } from 'papaparse'
import { invalid } from '../../engine/check-input.ts'
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

/** Characters that are parsed at once, which takes a few milliseconds. */
const chunkSize = 256 * 1024

/** The most chunks of one row. Each is parsed again with the next. */
const mostChunks = 8

/** The rows of a CSV text, a chunk at a time. Errors: `invalid` for a row that is too long. */
export async function* csvCells(text: string): AsyncGenerator<CsvRow> {
  let chunks = 0
  for await (const { data, meta, errors } of chunksOf(text)) {
    chunks = data.length === 0 ? chunks + 1 : 0
    if (chunks > mostChunks)
      throw invalid([
        { path: 'file', message: `has a row of more than ${mostChunks * chunkSize} characters` },
      ])
    const problems = new Map(errors.map(({ row, message }) => [row, message]))
    for (const [index, cells] of data.entries())
      yield { names: meta.fields ?? [], cells, problem: problems.get(index) ?? null }
  }
}

type Chunk = ParseResult<Record<string, string>>

/** Parses a chunk when the one before was read. */
async function* chunksOf(text: string): AsyncGenerator<Chunk> {
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
