export {
  type PostgresInfo,
  type PostgresOptions,
  type PostgresStore,
  openPostgresStore,
} from './open-store.ts'
export { type OpenFailure, StoreOpenError } from './store-open-error.ts'
