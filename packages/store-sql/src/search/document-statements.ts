import { getTableColumns, sql } from 'drizzle-orm'
import type { Dialect, Tables } from '../dialect.ts'
import type { SqlDriver } from '../driver.ts'
import { type RowOf, assignments, insertInto, names, selected } from '../row-of.ts'
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
  const head = sql.placeholder('head')
  return {
    ...prepareTextReads(driver, dialect),
    ...prepareTextWrites(driver, dialect),
    stored: driver.prepare<readonly [nextRow: number, ...stored: DocumentRow]>(
      sql`SELECT ${dialect.nextRow}, ${selected(stored)} FROM ${searchDocuments} WHERE ${columns.head} = ${head}`,
    ),
    nextRow: driver.prepare<readonly [number]>(sql`SELECT ${dialect.nextRow}`),
    insertRow: driver.prepare<never>(insertInto(searchRows, getTableColumns(searchRows))),
    deleteRow: driver.prepare<never>(
      sql`DELETE FROM ${searchRows} WHERE ${searchRows.row} = ${sql.placeholder('row')}`,
    ),
    moveRow: driver.prepare<never>(
      sql`UPDATE ${searchRows} SET ${names([searchRows.row])} = ${sql.placeholder('next')} WHERE ${searchRows.row} = ${sql.placeholder('row')}`,
    ),
    insert: driver.prepare<never>(insertInto(searchDocuments, { row, ...columns })),
    update: driver.prepare<never>(
      sql`UPDATE ${searchDocuments} SET ${assignments({ row, ...given })} WHERE ${columns.head} = ${head}`,
    ),
    delete: driver.prepare<never>(sql`DELETE FROM ${searchDocuments} WHERE ${columns.head} = ${head}`),
    insertWords: driver.prepare<never>(insertInto(search, wordsRow)),
    replaceWords: driver.prepare<never>(dialect.replaceInto(search, wordsRow)),
    deleteWords: driver.prepare<never>(
      sql`DELETE FROM ${search} WHERE ${search.rowid} = ${sql.placeholder('row')}`,
    ),
  }
}
