import { sql } from 'drizzle-orm'
import type { Dialect } from '../dialect.ts'
import type { SqlDriver, SqlWriteDriver } from '../driver.ts'
import { type RowOf, assignments, selected } from '../row-of.ts'
import { prepareDocumentWrites } from './document-statements.ts'
import { parseIds, parsePassages } from './documents.ts'
import { prepareTextReads } from './texts.ts'
import { scopeOf, tokensOf } from './tokens.ts'

/** A part of the index of some branches. */
export interface ReindexPart {
  readonly branches: readonly number[]
  /** A row: what comes after it is made anew. */
  readonly after: number
  /** Documents at most. */
  readonly limit: number
}

/** The words of a part as its documents said them when they were read. */
export interface PartWords {
  readonly after: number
  /** The last row of the part. */
  readonly end: number
  /** The row to go on after; null at the end. */
  readonly next: number | null
  readonly documents: readonly DocumentWords[]
}

interface DocumentWords {
  readonly row: number
  /** As it was read. */
  readonly document: DocumentRow
  readonly words: string
  /** 1 where the text of its file is among the words. */
  readonly textHash: number
}

/** How parts of the index are made anew. Rows keep their numbers, and so their order. */
export interface Reindexing {
  /** Reads the documents of a part and makes words of them, a good quarter of the work: outside of any transaction. */
  readonly read: (part: ReindexPart) => Promise<PartWords>
  /** Writes them, in a transaction of its own, but for those of documents that were written meanwhile, and with them their words. */
  readonly write: (words: PartWords) => Promise<void>
}

/**
 * Rows of all branches that one part passes at most. Of these, those without a document are found at some 100 ns each; at half, a small
 * repository beside a large one takes twice as many parts.
 */
const MOST_PROXIED = 50_000

/** Letters that one part folds at most, some 0.1 s: a part of long documents is shorter. */
const MOST_LETTERS = 2_000_000

/** Prepares the reading of a part (see `Reindexing`). */
export function prepareReadWords(driver: SqlDriver, dialect: Dialect): Reindexing['read'] {
  const reads = { ...prepareRows(driver, dialect), ...prepareTextReads(driver, dialect) }
  return async ({ branches, after, limit }) => {
    const rows = await rowsAfter(reads, { branches, after, limit })
    const proxied = rows.length === limit ? (rows.at(-1) ?? after) : after + MOST_PROXIED
    const { documents, stopped } = await readAll(reads, rows)
    const end = stopped ?? proxied
    return { after, end, next: end < (await lastRow(reads)) ? end : null, documents }
  }
}

/** Prepares the writing of a part, in a transaction that is open. */
export function prepareWriteWords(driver: SqlWriteDriver, dialect: Dialect): Reindexing['write'] {
  const { searchDocuments, searchRows, search } = dialect.tables
  const { head, withText } = searchDocuments
  const { document } = prepareDocument(driver, dialect)
  const { replaceWords } = prepareDocumentWrites(driver, dialect)
  const noteText = driver.prepare<never>(
    sql`UPDATE ${searchDocuments} SET ${assignments({ withText })} WHERE ${head} = ${sql.placeholder('head')}`,
  )
  const strays = sql`SELECT i.row FROM ${dialect.indexedRows} i WHERE i.row > ${sql.placeholder('after')} AND i.row <= ${sql.placeholder('end')} AND NOT EXISTS (SELECT 1 FROM ${searchRows} WHERE ${searchRows.row} = i.row)`
  const dropStrays = driver.prepare<never>(sql`DELETE FROM ${search} WHERE ${search.rowid} IN (${strays})`)
  return async ({ after, end, documents }) => {
    // All at once: a database behind a network is asked once for them, not once for each.
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

function prepareDocument(driver: SqlDriver, { tables, joinInOrder }: Dialect) {
  const { searchRows, searchDocuments } = tables
  return {
    document: driver.prepare<DocumentRow>(
      sql`SELECT ${selected(documentColumns(tables))} FROM ${searchRows} ${joinInOrder} ${searchDocuments} ON ${searchDocuments.head} = ${searchRows.head} WHERE ${searchRows.row} = ${sql.placeholder('row')}`,
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
    const own = await rows.all({ branch, after, end: after + MOST_PROXIED, limit })
    found.push(...own.map(([row]) => row))
  }
  return found.toSorted((a, b) => a - b).slice(0, limit)
}

/** The words of documents. Tells where it stopped when there were more of them than fit. */
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
  const given = { name, passages: parsePassages(passages), categories: parseIds(categories), text }
  return { row, document, words: tokensOf(scopeOf(branch, kind), given), textHash: Number(text !== null) }
}
