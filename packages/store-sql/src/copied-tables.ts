import { type Table, getTableColumns, getTableName } from 'drizzle-orm'
import * as tables from './tables.ts'

/** A table that holds the same rows in every database, so that rows can be copied as they are. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly CopiedColumn[]
  /** Columns that together identify a row, in the order of an SQLite index. */
  readonly key: readonly string[]
  /** Whether that index orders its last column descending. */
  readonly lastDescends: boolean
}

export interface CopiedColumn {
  readonly name: string
  readonly holds: 'text' | 'number'
}

/** Every table whose rows are copied, in the order in which they are copied. */
export const copiedTables: readonly CopiedTable[] = [
  copied(tables.branches, ['id']),
  copied(tables.records, ['kind', 'id']),
  copied(tables.recordKeys, ['kind', 'key']),
  copied(tables.heads, ['head']),
  copied(tables.largeValues, ['hash']),
  copied(tables.headJsonRows, ['head']),
  copied(tables.bodyRows, ['head']),
  copied(tables.headRoles, ['head', 'role']),
  {
    ...copied(tables.fieldValues, ['branch', 'kind', 'path', 'value', 'updated_date', 'id']),
    lastDescends: true,
  },
  copied(tables.edges, ['branch', 'target_id', 'id', 'path', 'head']),
  copied(tables.versions, ['row']),
  copied(tables.moments, ['branch', 'kind', 'id', 'from_date']),
  copied(tables.journal, ['sequence']),
  copied(tables.jobs, ['id']),
  copied(tables.usage, ['scope']),
  copied(tables.usageDeltas, ['row']),
  copied(tables.ephemera, ['key']),
  copied(tables.texts, ['hash']),
  copied(tables.searchRows, ['row']),
  copied(tables.searchDocuments, ['head']),
]

/** The blobs that versions need. */
export const versionBlobsTable: CopiedTable = copied(tables.versionBlobs, ['hash', 'version'])

/** Maintained by triggers on `versions`: compared after a copy, never written. */
export const triggeredTables: readonly CopiedTable[] = [
  versionBlobsTable,
  copied(tables.versionValues, ['hash', 'version']),
]

/**
 * The words of documents. SQLite's index does not store them readably, so a copy computes them from
 * the documents again.
 */
export const wordsTable: CopiedTable = copied(tables.search, ['rowid'])

function copied(table: Table, key: readonly string[]): CopiedTable {
  const columns = Object.values(getTableColumns(table)).map(({ name, dataType }): CopiedColumn => {
    return { name, holds: dataType === 'number' ? 'number' : 'text' }
  })
  return { name: getTableName(table), columns, key, lastDescends: false }
}
