import type { Dialect } from './dialect.ts'
import type { SqlDriver, SqlWriteDriver } from './driver.ts'
import type { Reindexing } from './search/reindex.ts'

/** The connections of a store. What `reader` sees is what was committed, at the moment of each statement. */
export interface Connections {
  readonly dialect: Dialect
  readonly reader: SqlDriver
  /** As `reader`, for what takes long: it holds up no other reads. */
  readonly heavy: SqlDriver
  readonly writer: SqlWriteDriver
  readonly reindexing: Reindexing
  /**
   * Only where other processes write the same database: whether their changes come in (see `SqlStore.refresh`). While they do not, records are
   * read anew by each call. Nothing else is kept from commit to commit then.
   */
  readonly isReceived?: () => boolean
  /** Errors: StoreUnavailable `closed` once the store is closed; asked by every read outside of transactions. */
  readonly requireOpen: () => void
}
