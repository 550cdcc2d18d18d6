import type { UserRef } from './entities.ts'
import type { JsonObject } from './json.ts'

/** One event: an entry of the activity for people, and of the outbox. Append-only. */
export interface JournalEntry {
  readonly repositoryId: string
  readonly packageId: string | null
  /** The item, folder, type… it happened to. */
  readonly entityId: string
  readonly entityType: string
  /** `ITEM_CREATED`… or an activity name of our own (`TYPE_UPDATED`). */
  readonly event: string
  readonly version: number | null
  readonly status: string | null
  readonly date: number
  readonly user: UserRef
  readonly requestId: string
  readonly details: JsonObject
}

/** An entry with its position in the order of commits. */
export interface JournalRow extends JournalEntry {
  readonly sequence: number
}

/** Which entries of a repository to count. */
export interface JournalTally {
  readonly repositoryId: string
  /** Only entries about this entity. */
  readonly entityId?: string
  /** Only entries on the branch of this package, or about the package itself. */
  readonly packageId?: string
  readonly event?: string
  /** Only entries of this user. */
  readonly userName?: string
  /** Unix ms: from `since` on, and before `until`. */
  readonly since?: number
  readonly until?: number
  /** Only sequence numbers below this one. */
  readonly before?: number
  /** A prefix of event names; entries of these events are grouped by their details as well. */
  readonly detailed?: string
  /** How many entries to look at, starting with the newest, whatever the other filters are. */
  readonly limit: number
}

/** Entries of one event about one entity on one branch. */
export interface JournalGroup extends Pick<
  JournalEntry,
  'repositoryId' | 'packageId' | 'entityId' | 'entityType' | 'event'
> {
  /** The details that they share when they are grouped by details; otherwise empty. */
  readonly details: JsonObject
  readonly count: number
}

/** The result of counting entries. */
export interface Tallied {
  readonly groups: readonly JournalGroup[]
  /** Unix ms of the newest entry that was not looked at; null when there is none. */
  readonly older: number | null
}

/** Reads of the journal. */
export interface JournalReader {
  /**
   * Entries after `after` (0: from the start) in order, optionally only of one repository or
   * entity. At most `limit`.
   */
  read(query: {
    after: number
    limit: number
    repositoryId?: string
    entityId?: string
  }): Promise<readonly JournalRow[]>
  /**
   * Newest entries first, optionally only those below `before` and only of one repository or
   * entity. At most `limit`.
   */
  readBack(query: {
    before?: number
    limit: number
    repositoryId?: string
    entityId?: string
  }): Promise<readonly JournalRow[]>
  /**
   * How many entries there are of each event and entity. Cost: grows with `limit`, or with the
   * number of entries if that is smaller.
   */
  tally(query: JournalTally): Promise<Tallied>
}

/** Appends inside a transaction. */
export interface JournalWriter extends JournalReader {
  /**
   * Appends an entry when the transaction is committed: sequence numbers grow in the order of the
   * commits and are never reused. Reads of the same transaction include it, with a number that it
   * may not keep; `tally` need not. Dates do not go back, except for `mostBackMs` or more (see
   * `dateInOrder`).
   */
  record(entry: JournalEntry): Promise<void>
}
