import type { Dialect } from './dialect.ts'
import type { SqlDriver } from './driver.ts'
import type { Reindexing } from './search/reindex.ts'

/** The connections of a store. Each statement of `reader` sees what was committed when it runs. */
export interface Connections {
  readonly dialect: Dialect
  readonly reader: SqlDriver
  /** Like `reader`, for slow reads, which do not delay other reads here. */
  readonly heavy: SqlDriver
  readonly reindexing: Reindexing
  /**
   * Set only where other processes write to the same database: whether their changes currently
   * arrive (see `SqlStore.refresh`). While they do not, every call reads records from the database
   * again. Apart from branches and records, nothing is then cached between commits.
   */
  readonly isReceived?: () => boolean
  /**
   * Called by every read outside of transactions. Errors: StoreUnavailable `closed` once the store
   * is closed.
   */
  readonly requireOpen: () => void
}
