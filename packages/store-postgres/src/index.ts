export type { CopyLocation } from './copy/copy-record.ts'
export {
  type CopyOptions,
  type PostgresCopy,
  openPostgresCopied,
  openPostgresCopy,
} from './copy/open-copy.ts'
export type { RowsToTake } from './copy/take-rows.ts'
export {
  type PostgresInfo,
  type PostgresOptions,
  type PostgresStore,
  openPostgresStore,
} from './open-store.ts'
export { type OpenFailure, StoreOpenError } from './store-open-error.ts'
