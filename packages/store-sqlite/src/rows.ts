import {
  type CopiedTable,
  type Row,
  type SqlValue,
  type WordedRow,
  copiedWords,
  wordsTable,
} from '@quire/store-sql'
import type { Database } from 'better-sqlite3'
import { closeFile, openFile } from './open-file.ts'
import { translate } from './sqlite-error.ts'

/** The rows of a database that nobody has open as a store meanwhile. */
export interface SqliteRows {
  /** The file that they are in. */
  readonly file: string
  /** How many rows a table has. Cost: a walk over an index of it. */
  count(table: CopiedTable): number
  /**
   * The rows of a table in the order of its key, each with its columns in order: all, or those after a key. One walk at a time is held open: leave the
   * loop or come to its end.
   */
  rows(table: CopiedTable, after?: Row): Iterable<Row>
  close(): void
}

/**
 * Opens a database file for its rows; nothing of them is ever changed. A file of an older schema is brought to the newest first.
 * Errors: StoreOpenError, whose message says what to do: `inUse` while somebody serves it.
 */
export function openSqliteRows(file: string): SqliteRows {
  const opened = openFile({ file })
  const { reader } = opened
  return {
    file: opened.file,
    count: (table) => attempt(() => countOf(reader, table)),
    rows: (table, after) => (table === wordsTable ? wordsIn(reader, after) : rowsIn(reader, table, after)),
    close: () => closeFile(opened),
  }
}

function countOf(reader: Database, table: CopiedTable): number {
  const { name } = table === wordsTable ? { name: 'search_documents' } : table
  return reader.prepare<[], number>(`SELECT count(*) FROM ${name}`).pluck().get() ?? 0
}

function* rowsIn(reader: Database, table: CopiedTable, after?: Row): Generator<Row> {
  const statement = attempt(() => reader.prepare<SqlValue[], Row>(walkOf(table, after)).raw())
  yield* attempted(statement.iterate(...parametersOf(table, after)))
}

/** The statement that walks over a table: all of it, or what comes after a key. */
export function walkOf(table: CopiedTable, after?: Row): string {
  const columns = table.columns.map(({ name }) => name).join(', ')
  const condition = after ? ` WHERE ${behind(table)}` : ''
  return `SELECT ${columns} FROM ${table.name}${condition} ORDER BY ${orderOf(table)}`
}

/** A comparison of rows walks an index only where all of it goes one way: what descends is looked at besides. */
function behind({ key, lastDescends }: CopiedTable): string {
  if (!lastDescends) return `(${key.join()}) > (${key.map(() => '?').join()})`
  const [leading, last] = [key.slice(0, -1), key.at(-1)]
  const [names, values] = [leading.join(), leading.map(() => '?').join()]
  return `(${names}) >= (${values}) AND NOT ((${names}) = (${values}) AND ${last} >= ?)`
}

function parametersOf({ lastDescends }: CopiedTable, after: Row = []): SqlValue[] {
  return lastDescends ? [...after.slice(0, -1), ...after] : [...after]
}

function orderOf({ key, lastDescends }: CopiedTable): string {
  return `${key.join()}${lastDescends ? ' DESC' : ''}`
}

type DocumentRow = readonly [
  row: number,
  branch: number,
  kind: WordedRow['kind'],
  name: string,
  passages: string,
  categories: string,
  text: string | null,
]

/** The words of documents as they were made when these were indexed: of a file whose text came later there are none yet. */
const documents = `SELECT r.row, d.branch, d.kind, d.name, d.passages, d.categories, t.text
  FROM search_rows r CROSS JOIN search_documents d ON d.head = r.head
  LEFT JOIN texts t ON d.with_text = 1 AND t.hash = d.file
  WHERE r.row > ? ORDER BY r.row`

function* wordsIn(reader: Database, [after]: Row = [0]): Generator<Row> {
  const statement = attempt(() => reader.prepare<[SqlValue], DocumentRow>(documents).raw())
  for (const document of attempted(statement.iterate(after ?? 0))) {
    const [row, branch, kind, name, passages, categories, text] = document
    yield [row, copiedWords({ branch, kind, name, passages, categories, text })]
  }
}

function* attempted<T>(rows: Iterable<T>): Generator<T> {
  try {
    yield* rows
  } catch (error) {
    throw translate(error)
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw translate(error)
  }
}
