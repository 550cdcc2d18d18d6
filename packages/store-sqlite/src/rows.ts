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

/** The rows of a database that no store has open. */
export interface SqliteRows {
  readonly file: string
  /** The number of rows of a table. Cost: a walk over one of its indexes. */
  count(table: CopiedTable): number
  /**
   * The rows of a table in the order of its key, with their columns in order: all of them, or those
   * after a key. Only one iteration may be open at a time: finish or leave the loop before the next
   * one.
   */
  rows(table: CopiedTable, after?: Row): Iterable<Row>
  close(): void
}

/**
 * Opens a database file to read its rows, which are never changed. An older schema is upgraded
 * first. Errors: StoreOpenError, whose message says what to do: `inUse` while a server has the file
 * open.
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

/** The statement that reads a table: all rows, or those after a key. */
export function walkOf(table: CopiedTable, after?: Row): string {
  const columns = table.columns.map(({ name }) => name).join(', ')
  const condition = after ? ` WHERE ${behind(table)}` : ''
  return `SELECT ${columns} FROM ${table.name}${condition} ORDER BY ${orderOf(table)}`
}

/**
 * A row comparison can walk an index only if all its columns ascend, so a descending last column is
 * compared separately.
 */
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

/**
 * The documents as they were indexed: the text of a file that arrived later is not included yet.
 */
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
