import type { IndexRebuild } from '@quire/contract'
import type { JournalEntry } from '../ports/index.ts'

/** A rebuild of a repository's search index; only the last one is kept. */
export interface IndexRebuildRecord {
  readonly id: string
  readonly repositoryId: string
  readonly state: IndexRebuild['state']
  /** Where it goes on (see `SearchIndexes.reindex`). */
  readonly after: number
  readonly done: number
  readonly total: number
  readonly startedDate: number
  readonly finishedDate: number | null
  readonly error: string | null
  /** What the journal says once it has succeeded, but for the time: who began it, with which call. */
  readonly entry: JournalEntry
}

declare module '../ports/records.ts' {
  interface RecordKinds {
    indexRebuild: IndexRebuildRecord
  }
}
