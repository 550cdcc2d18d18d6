export type { SqliteOptions } from './open-file.ts'
export { type SqliteInfo, type SqliteStore, openSqliteStore } from './open-store.ts'
export { type SqliteRows, openSqliteRows } from './rows.ts'
export { type OpenFailure, StoreOpenError } from './store-open-error.ts'
