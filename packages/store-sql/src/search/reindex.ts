import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { type RowOf, selected } from '../row-of.ts'
import { updateRow } from '../row-write.ts'
import { prepareDocumentWrites } from './document-statements.ts'
import { parseIds, parsePassages } from './documents.ts'
import { prepareTextReads } from './texts.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** The part of the index to rebuild in one step. */
export interface ReindexPart {
  readonly branches: readonly number[]
  /** Rows after this one are rebuilt. */
  readonly after: number
  /** The maximum number of documents. */
  readonly limit: number
}

/** The words of a part, computed from its documents as they were when they were read. */
export interface PartWords {
  readonly after: number
  /** The last row of the part. */
  readonly end: number
  /** The row to continue after; null at the end. */
  readonly next: number | null
  readonly documents: readonly DocumentWords[]
}

interface DocumentWords {
  readonly row: number
  /** The document as it was when it was read. */
  readonly document: DocumentRow
  readonly words: string
  /** 1 if the text of its file is among the words, else 0. */
  readonly textHash: number
}

/** Rebuilds parts of the index. Rows keep their numbers, and therefore their order. */
export interface Reindexing {
  /**
   * Reads the documents of a part and computes their words, outside of any transaction. This is a
   * good quarter of the work.
   */
  readonly read: (part: ReindexPart) => Promise<PartWords>
  /**
   * Writes the words, in a transaction of its own. Skips documents that were written meanwhile,
   * because their words were written with them.
   */
  readonly write: (words: PartWords) => Promise<void>
}

/**
 * The most rows, of all branches, that one part walks past. Rows without a document take some 100
 * ns each. At half, a small repository next to a large one needs twice as many parts.
 */
const MOST_ROWS = 50_000

/**
 * The most letters that one part folds, which takes some 0.1 s. A part of long documents ends
 * early.
 */
const MOST_LETTERS = 2_000_000

/** Prepares the reading of a part (see `Reindexing`). */
export function prepareReadWords(driver: SqlDriver, dialect: Dialect): Reindexing['read'] {
  const reads = { ...prepareRows(driver, dialect), ...prepareTextReads(driver, dialect) }
  return async ({ branches, after, limit }) => {
    const rows = await rowsAfter(reads, { branches, after, limit })
    const passed = rows.length === limit ? (rows.at(-1) ?? after) : after + MOST_ROWS
    const { documents, stopped } = await readAll(reads, rows)
    const end = stopped ?? passed
    return { after, end, next: end < (await lastRow(reads)) ? end : null, documents }
  }
}

/** Prepares the writing of a part (see `Reindexing`), for an open transaction. */
export function prepareWriteWords(driver: SqlDriver, dialect: Dialect): Reindexing['write'] {
  const { searchDocuments, searchRows, search } = dialect.tables
  const { head, withText } = searchDocuments
  const { document } = prepareDocument(driver, dialect, dialect.unmoved)
  const { replaceWords } = prepareDocumentWrites(driver, dialect)
  const noteText = driver.prepare<never>(updateRow(searchDocuments, { withText }, { by: { head } }))
  const strays = sql`SELECT i.row FROM ${dialect.indexedRows} i WHERE i.row > ${sql.placeholder('after')} AND i.row <= ${sql.placeholder('end')} AND NOT EXISTS (SELECT 1 FROM ${searchRows} WHERE ${searchRows.row} = i.row)`
  const dropStrays = driver.prepare<never>(sql`DELETE FROM ${search} WHERE ${search.rowid} IN (${strays})`)
  return async ({ after, end, documents }) => {
    // All look-ups are sent at once, so that a database across a network costs one round trip, not
    // one per document.
    const found = await Promise.all(documents.map(({ row }) => document.get({ row })))
    for (const [index, { row, document: read, words, textHash }] of documents.entries()) {
      if (!found[index]?.every((value, column) => value === read[column])) continue
      await replaceWords.send({ row, words })
      if (textHash !== textHashOf(read)) await noteText.send({ head: headOf(read), withText: textHash })
    }
    await dropStrays.send({ after, end })
  }
}

type Reads = ReturnType<typeof prepareRows> & ReturnType<typeof prepareTextReads>

function documentColumns({ searchDocuments }: Dialect['tables']) {
  const { head, branch, kind, name, passages, categories, file, withText } = searchDocuments
  return [head, branch, kind, name, passages, categories, file, withText] as const
}

type DocumentRow = RowOf<ReturnType<typeof documentColumns>>

function headOf([head]: DocumentRow): number {
  return head
}

function textHashOf(document: DocumentRow): number {
  return document[7]
}

function prepareDocument(driver: SqlDriver, { tables, joinInOrder }: Dialect, unmoved = sql``) {
  const { searchRows, searchDocuments } = tables
  return {
    document: driver.prepare<DocumentRow>(
      sql`SELECT ${selected(documentColumns(tables))} FROM ${searchRows} ${joinInOrder} ${searchDocuments} ON ${searchDocuments.head} = ${searchRows.head} WHERE ${searchRows.row} = ${sql.placeholder('row')}${unmoved}`,
    ),
  }
}

function prepareRows(driver: SqlDriver, dialect: Dialect) {
  const { searchRows } = dialect.tables
  const { row, branch } = searchRows
  const [after, end] = [sql.placeholder('after'), sql.placeholder('end')]
  return {
    ...prepareDocument(driver, dialect),
    rows: driver.prepare<readonly [number]>(
      sql`SELECT ${row} FROM ${searchRows} WHERE ${branch} = ${sql.placeholder('branch')} AND ${row} > ${after} AND ${row} <= ${end} ORDER BY ${row} LIMIT ${sql.placeholder('limit')}`,
    ),
    lastDocument: driver.prepare<readonly [number]>(sql`SELECT coalesce(max(${row}), 0) FROM ${searchRows}`),
    lastIndexed: driver.prepare<readonly [number]>(
      sql`SELECT coalesce(max(i.row), 0) FROM ${dialect.indexedRows} i`,
    ),
  }
}

async function lastRow({ lastDocument, lastIndexed }: Reads): Promise<number> {
  const [document = 0] = (await lastDocument.get()) ?? []
  const [indexed = 0] = (await lastIndexed.get()) ?? []
  return Math.max(document, indexed)
}

/** The next rows of some branches, in order. */
async function rowsAfter(
  { rows }: Reads,
  { branches, after, limit }: ReindexPart,
): Promise<readonly number[]> {
  const found: number[] = []
  for (const branch of branches) {
    const own = await rows.all({ branch, after, end: after + MOST_ROWS, limit })
    found.push(...own.map(([row]) => row))
  }
  return found.toSorted((a, b) => a - b).slice(0, limit)
}

/**
 * Computes the words of documents. `stopped` is the last row read if there were more letters than
 * fit.
 */
async function readAll(
  reads: Reads,
  rows: readonly number[],
): Promise<{ readonly documents: readonly DocumentWords[]; readonly stopped: number | null }> {
  const documents: DocumentWords[] = []
  let letters = 0
  for (const row of rows) {
    const document = await reads.document.get({ row })
    if (!document) continue
    const read = await wordsOfRow(reads, row, document)
    documents.push(read)
    letters += read.words.length
    if (letters > MOST_LETTERS) return { documents, stopped: row }
  }
  return { documents, stopped: null }
}

async function wordsOfRow(reads: Reads, row: number, document: DocumentRow): Promise<DocumentWords> {
  const [, branch, kind, name, passages, categories, file] = document
  const [text = null] = (file === null ? undefined : await reads.text.get({ hash: file })) ?? []
  const given = { name, ...parsePassages(passages), categories: parseIds(categories), text }
  return { row, document, words: tokensOf(scopeOf(branch, kind), given), textHash: Number(text !== null) }
}
