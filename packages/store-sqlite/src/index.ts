export { type SqliteInfo, type SqliteStore, openSqliteStore } from './open-store.ts'
export type { SqliteOptions } from './sqlite-options.ts'
export { type OpenFailure, StoreOpenError } from './store-open-error.ts'
