import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlWriteDriver } from '../driver.ts'
import { type RowOf, assignments, selected } from '../row-of.ts'
import { type DocumentWrites, prepareDocumentWrites } from './document-statements.ts'
import { parseIds, parsePassages } from './documents.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** A part of the index of some lines. */
export interface ReindexPart {
  readonly lines: readonly number[]
  /** A row: what comes after it is made anew. */
  readonly after: number
  /** Documents at most. */
  readonly limit: number
}

/** What was made anew, and the row to go on after; null at the end. */
export interface Reindexed {
  readonly next: number | null
  readonly done: number
}

/**
 * Rows of all lines that one part passes at most. Of these, those without a document are found at some 100 ns each; at half, a small
 * repository beside a large one takes twice as many parts.
 */
const MOST_PASSED = 50_000

/** Letters that one part folds at most, some 0.1 s: a part of long documents is shorter. */
const MOST_LETTERS = 2_000_000

/** Prepares the making anew of a part of the index, in a transaction that is open. Rows keep their numbers, and so their order. */
export function prepareReindex(driver: SqlWriteDriver, dialect: Dialect) {
  const reads = prepareReads(driver, dialect)
  const writes = prepareDocumentWrites(driver, dialect)
  return async ({ lines, after, limit }: ReindexPart): Promise<Reindexed> => {
    const rows = await rowsAfter(reads, { lines, after, limit })
    const passed = rows.length === limit ? (rows.at(-1) ?? after) : after + MOST_PASSED
    const { done, stopped } = await writeAll({ reads, writes }, rows)
    const end = stopped ?? passed
    await reads.dropStrays.send({ after, end })
    return { next: end < (await lastRow(reads)) ? end : null, done }
  }
}

type Reads = ReturnType<typeof prepareReads>

function prepareReads(
  driver: SqlWriteDriver,
  { joinInOrder, indexedRows, tables: { searchRows, searchDocuments, search } }: Dialect,
) {
  const { row, line } = searchRows
  const { head, kind, name, passages, categories, file, withText } = searchDocuments
  const columns = [head, line, kind, name, passages, categories, file, withText] as const
  const [after, end] = [sql.placeholder('after'), sql.placeholder('end')]
  const strays = sql`SELECT i.row FROM ${indexedRows} i WHERE i.row > ${after} AND i.row <= ${end} AND NOT EXISTS (SELECT 1 FROM ${searchRows} WHERE ${row} = i.row)`
  return {
    rows: driver.prepare<readonly [number]>(
      sql`SELECT ${row} FROM ${searchRows} WHERE ${line} = ${sql.placeholder('line')} AND ${row} > ${after} AND ${row} <= ${end} ORDER BY ${row} LIMIT ${sql.placeholder('limit')}`,
    ),
    document: driver.prepare<RowOf<typeof columns>>(
      sql`SELECT ${selected(columns)} FROM ${searchRows} ${joinInOrder} ${searchDocuments} ON ${head} = ${searchRows.head} WHERE ${row} = ${sql.placeholder('row')}`,
    ),
    lastDocument: driver.prepare<readonly [number]>(sql`SELECT coalesce(max(${row}), 0) FROM ${searchRows}`),
    lastIndexed: driver.prepare<readonly [number]>(sql`SELECT coalesce(max(i.row), 0) FROM ${indexedRows} i`),
    dropStrays: driver.prepare<never>(sql`DELETE FROM ${search} WHERE ${search.rowid} IN (${strays})`),
    noteText: driver.prepare<never>(
      sql`UPDATE ${searchDocuments} SET ${assignments({ withText })} WHERE ${head} = ${sql.placeholder('head')}`,
    ),
  }
}

async function lastRow({ lastDocument, lastIndexed }: Reads): Promise<number> {
  const [document = 0] = (await lastDocument.get()) ?? []
  const [indexed = 0] = (await lastIndexed.get()) ?? []
  return Math.max(document, indexed)
}

/** The next rows of some lines, in order. */
async function rowsAfter({ rows }: Reads, { lines, after, limit }: ReindexPart): Promise<readonly number[]> {
  const found: number[] = []
  for (const line of lines) {
    const own = await rows.all({ line, after, end: after + MOST_PASSED, limit })
    found.push(...own.map(([row]) => row))
  }
  return found.toSorted((a, b) => a - b).slice(0, limit)
}

interface Statements {
  readonly reads: Reads
  readonly writes: DocumentWrites
}

/** Writes the words of documents anew. Answers where it stopped when there were more of them than fit. */
async function writeAll(
  statements: Statements,
  rows: readonly number[],
): Promise<{ readonly done: number; readonly stopped: number | null }> {
  let letters = 0
  for (const [index, row] of rows.entries()) {
    letters += await writeWords(statements, row)
    if (letters > MOST_LETTERS) return { done: index + 1, stopped: row }
  }
  return { done: rows.length, stopped: null }
}

/** Answers how many letters the words have. */
async function writeWords({ reads, writes }: Statements, row: number): Promise<number> {
  const document = await reads.document.get({ row })
  if (!document) return 0
  const [head, line, kind, name, passages, categories, file, wasWithText] = document
  const [text = null] = (file === null ? undefined : await writes.text.get({ hash: file })) ?? []
  const kept = { name, passages: parsePassages(passages), categories: parseIds(categories), text }
  const words = tokensOf(scopeOf(line, kind), kept)
  await writes.replaceWords.send({ row, words })
  const withText = Number(text !== null)
  if (withText !== wasWithText) await reads.noteText.send({ head, withText })
  return words.length
}
