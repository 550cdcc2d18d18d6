import type { UserRef } from './entities.ts'
import type { JsonObject } from './json.ts'

/** One thing that happened: activity for people, and the outbox of events. Append-only. */
export interface JournalEntry {
  readonly repositoryId: string
  readonly packageId: string | null
  /** The item, folder, type… it happened to. */
  readonly entityId: string
  readonly entityType: string
  /** `ITEM_CREATED`… or an activity word of our own (`TYPE_UPDATED`). */
  readonly event: string
  readonly version: number | null
  readonly status: string | null
  readonly date: number
  readonly user: UserRef
  readonly requestId: string
  readonly details: JsonObject
}

/** An entry with its place in the order of commits. */
export interface JournalRow extends JournalEntry {
  readonly sequence: number
}

/** Reads of the journal. */
export interface JournalReader {
  /** Entries after `after` (0: from the start) in order, of one repository or entity when given. At most `limit`. */
  read(query: {
    after: number
    limit: number
    repositoryId?: string
    entityId?: string
  }): Promise<readonly JournalRow[]>
  /** The newest entries first, those below `before` when given, of one repository or entity when given. At most `limit`. */
  readBack(query: {
    before?: number
    limit: number
    repositoryId?: string
    entityId?: string
  }): Promise<readonly JournalRow[]>
}

/** Appends inside a transaction. */
export interface JournalWriter extends JournalReader {
  /** Appends; sequences grow without ever being reused. */
  record(entry: JournalEntry): Promise<void>
}
