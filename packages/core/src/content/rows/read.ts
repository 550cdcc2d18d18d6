import { limits, QuireError, type ContentType, type Contract, type ParsedOf } from '@quire/contract'
import { hasFewValues } from '@quire/contract/codec'
import { invalid } from '../../engine/check-input.ts'
import { textOfFile } from '../../engine/file-text.ts'
import { isJsonObject, type Json, type JsonObject } from '../../ports/index.ts'
import { columnsNamed, columnsOf, isReadOnly, jsonOf, valueOfCell, type Column } from './columns.ts'
import { csvCells } from './csv.ts'

type Input = ParsedOf<Contract['items']['importRows']>

/** A row of a file. */
export interface ImportedRow {
  /** From 1; a header does not count. */
  readonly number: number
  /** The columns that an import sets. */
  readonly columns: readonly Column[]
  /** The values by column name. */
  readonly values: JsonObject
  /** The value of the key; null if there is none. */
  readonly key: Json
  /** Why it is no row; null if it is one. */
  readonly problem: string | null
}

/**
 * The rows of a file. Errors: `invalid` for columns that are no members, and for a key that no
 * column has; `too_large`.
 */
export async function* readRows(type: ContentType, input: Input): AsyncGenerator<ImportedRow> {
  const text = await textOfFile(input.file, { most: limits.rowsBytes, what: 'Rows' })
  requireFewRows(text)
  const given = input.columns && columnsOf(type, input.columns)
  if (given) requireKey(given, input.key)
  const isCsv = /^text\/csv\b/i.test(input.file.type ?? '')
  const rows = isCsv ? csvValues(type, { given, text, key: input.key }) : ndjsonValues(type, given, text)
  let number = 0
  for await (const { columns, values, problem } of rows) {
    number += 1
    const key = columns.find(({ path }) => path === input.key)
    const set = columns.filter(({ path }) => !isReadOnly(path))
    yield { number, columns: set, values, key: (key && values[key.name]) ?? null, problem }
  }
}

/** Errors: `invalid`. */
function requireKey(columns: readonly Column[], key: string | undefined): void {
  if (key === undefined || columns.some(({ path }) => path === key)) return
  throw invalid([{ path: 'key', message: `no column has the member "${key}"` }])
}

/** Errors: `too_large`. */
function requireFewRows(text: string): void {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  if (count > limits.rows)
    throw new QuireError('too_large', `A file has at most ${limits.rows} rows: split it.`)
}

// As for a body: parsing and checking more of them holds up everybody else.
const manyValues = `has more than ${limits.jsonValues} values`

interface RowValues {
  readonly columns: readonly Column[]
  readonly values: JsonObject
  readonly problem: string | null
}

interface CsvFile {
  readonly given: readonly Column[] | undefined
  readonly text: string
  readonly key: string | undefined
}

/** Errors: `invalid` for the header, before the first row. */
async function* csvValues(type: ContentType, { given, text, key }: CsvFile): AsyncGenerator<RowValues> {
  let named: readonly Column[] | null = null
  for await (const { names, cells, problem } of csvCells(text)) {
    named ??= given ?? columnsNamed(type, names)
    requireKey(named, key)
    if (Object.values(cells).some((cell) => /^\s*[[{]/.test(cell) && !hasFewValues(cell))) {
      yield { columns: named, values: {}, problem: manyValues }
      continue
    }
    const values = named.flatMap((column) => {
      const cell = cells[column.name]
      return cell === undefined ? [] : [[column.name, valueOfCell(column, cell)] as const]
    })
    yield { columns: named, values: Object.fromEntries(values), problem }
  }
}

/** Rows can have different members, so a wrong one is a problem of its row. */
function* ndjsonValues(
  type: ContentType,
  given: readonly Column[] | undefined,
  text: string,
): Generator<RowValues> {
  for (const row of nonEmpty(text)) {
    if (!hasFewValues(row)) {
      yield { columns: [], values: {}, problem: manyValues }
      continue
    }
    const values = jsonOf(row)
    if (!isJsonObject(values)) {
      yield { columns: [], values: {}, problem: 'is not a JSON object' }
      continue
    }
    try {
      yield { columns: given ?? columnsNamed(type, Object.keys(values)), values, problem: null }
    } catch (error) {
      if (!(error instanceof QuireError)) throw error
      yield { columns: [], values, problem: error.issues?.[0]?.message ?? error.message }
    }
  }
}

/** The texts between line ends that have something in them. */
function* nonEmpty(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    if (end - start > 1 || text.slice(start, end).trim() !== '') yield text.slice(start, end)
    start = end + 1
  }
}
