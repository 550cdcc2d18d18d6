export type { Changes } from './layer.ts'
export { type Migration, newestVersion, oldestVersion } from './migration.ts'
export { postgresDialect } from './postgres/dialect.ts'
export { postgresMigrations } from './postgres/migrations.ts'
export { type CompiledQuery, compileQuery } from './compiled-query.ts'
export {
  type CopiedColumn,
  type CopiedTable,
  copiedTables,
  triggeredTables,
  versionBlobsTable,
  wordsTable,
} from './copied-tables.ts'
export type { Dialect } from './dialect.ts'
export type { KeyedRead } from './keyed-read.ts'
export type {
  Planned,
  Prepared,
  Query,
  Row,
  SqlDriver,
  SqlValue,
  SqlValues,
  SqlWriteDriver,
} from './driver.ts'
export {
  type GroupedParameter,
  type GroupedPart,
  type GroupedStatement,
  compileParts,
} from './postgres/grouped-statement.ts'
export { indexedTexts, prepareFits } from './postgres/indexed-texts.ts'
export type { RowWrite } from './row-write.ts'
export { touchedTables } from './touched-tables.ts'
export type { Connections } from './connections.ts'
export type { Footprint } from './footprint/footprint.ts'
export { type Batch, type OpenSqlBatch, type SqlStore, openSqlStore } from './sql-store.ts'
export { type WordedRow, copiedWords } from './search/copied-words.ts'
export { type GroupedWrites, type Complete, closedError, createGroupedWrites } from './grouped-writes.ts'
export {
  type PartWords,
  type Reindexing,
  type ReindexPart,
  prepareReadWords,
  prepareWriteWords,
} from './search/reindex.ts'
export { sqliteDialect } from './sqlite/dialect.ts'
export { sqliteMigrations } from './sqlite/migrations.ts'
