export { type SqliteInfo, type SqliteOptions, type SqliteStore, openSqliteStore } from './open-store.ts'
export { type OpenFailure, StoreOpenError } from './store-open-error.ts'
