import type { LineNames } from './lines.ts'
import type { RecordView } from './records/record-cache.ts'

/** Where a port method stands: outside of transactions, or inside one. */
export interface Session {
  readonly lines: LineNames
  readonly records: RecordView
  /** Errors: throws when the transaction has ended. */
  requireOpen(): void
}
