import type { IndexRebuild } from '@quire/contract'
import type { JournalEntry } from '../ports/index.ts'

/** A rebuild of a repository's search index. Only the last one is stored. */
export interface IndexRebuildRecord {
  readonly id: string
  readonly repositoryId: string
  readonly state: IndexRebuild['state']
  /** The position at which it continues (see `SearchIndexes.reindex`). */
  readonly after: number
  readonly done: number
  readonly total: number
  readonly startedDate: number
  readonly finishedDate: number | null
  readonly error: string | null
  /**
   * The journal entry for its success, except for the date. It contains the caller and call that
   * began the rebuild.
   */
  readonly entry: JournalEntry
}

declare module '../ports/records.ts' {
  interface RecordKinds {
    indexRebuild: IndexRebuildRecord
  }
}
