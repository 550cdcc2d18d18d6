import { getTableColumns, getTableName, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { readByKey } from '../keyed-read.ts'
import { type RowOf, selected } from '../row-of.ts'
import { deleteRows, insertRow, updateRow } from '../row-write.ts'
import { prepareTextReads, prepareTextWrites } from './texts.ts'

/** All prepared writes of documents on the writing connection. */
export type DocumentWrites = ReturnType<typeof prepareDocumentWrites>

function documentColumns({ row, name, passages, categories, file, withText }: Tables['searchDocuments']) {
  return [row, name, passages, categories, file, withText] as const
}

/** The stored document that a write replaces. */
export type DocumentRow = RowOf<ReturnType<typeof documentColumns>>

/** Prepares the writes of documents, their words in the index, and the texts of files. */
export function prepareDocumentWrites(driver: SqlDriver, dialect: Dialect) {
  const { searchRows, searchDocuments, search } = dialect.tables
  const { row, ...columns } = getTableColumns(searchDocuments)
  const { head: _, branch: __, kind: ___, ...given } = columns
  const stored = documentColumns(searchDocuments)
  const wordsRow = { row: search.rowid, words: search.words }
  return {
    ...prepareTextReads(driver, dialect),
    ...prepareTextWrites(driver, dialect),
    stored: driver.prepare<readonly [nextRow: number, ...stored: DocumentRow]>(
      readByKey(
        sql`SELECT ${dialect.nextRow}, ${selected(stored)} FROM ${searchDocuments} WHERE ${columns.head} = ${sql.placeholder('head')}`,
        [getTableName(searchDocuments)],
        ['head'],
      ),
    ),
    nextRow: driver.prepare<readonly [number]>(sql`SELECT ${dialect.nextRow}`),
    insertRow: driver.prepare<never>(insertRow(searchRows, getTableColumns(searchRows), { key: ['head'] })),
    deleteRow: driver.prepare<never>(deleteRows(searchRows, { row: searchRows.row }, ['head'])),
    moveRow: driver.prepare<never>(
      updateRow(searchRows, { next: searchRows.row }, { by: { row: searchRows.row }, key: ['head'] }),
    ),
    insert: driver.prepare<never>(insertRow(searchDocuments, { row, ...columns }, { key: ['head'] })),
    update: driver.prepare<never>(
      updateRow(searchDocuments, { row, ...given }, { by: { head: columns.head } }),
    ),
    delete: driver.prepare<never>(deleteRows(searchDocuments, { head: columns.head })),
    insertWords: driver.prepare<never>(insertRow(search, wordsRow, { key: ['row'] })),
    replaceWords: driver.prepare<never>(dialect.replaceInto(search, wordsRow)),
    deleteWords: driver.prepare<never>(deleteRows(search, { row: search.rowid })),
  }
}
