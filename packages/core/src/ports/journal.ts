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

/** Which entries of a repository are counted. */
export interface JournalTally {
  readonly repositoryId: string
  /** Only what happened to this one. */
  readonly entityId?: string
  /** Only what was done on the branch of this package, or to the package itself. */
  readonly packageId?: string
  readonly event?: string
  /** Only what this one did. */
  readonly userName?: string
  /** Unix ms: only from `since` on, only before `until`. */
  readonly since?: number
  readonly until?: number
  /** Below this place. */
  readonly before?: number
  /** What an event begins with whose entries are also told apart by their details. */
  readonly detailed?: string
  /** How many entries are looked at, from the newest back, whatever else they are narrowed to. */
  readonly limit: number
}

/** Entries about one thing on one branch, of one event. */
export interface JournalGroup extends Pick<
  JournalEntry,
  'repositoryId' | 'packageId' | 'entityId' | 'entityType' | 'event'
> {
  /** Those of each of them, where they are told apart by it; empty elsewhere. */
  readonly details: JsonObject
  readonly count: number
}

/** Entries as they were counted. */
export interface Tallied {
  readonly groups: readonly JournalGroup[]
  /** Unix ms of the newest entry that was not looked at; null: there is none. */
  readonly older: number | null
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
  /** How many entries there are of each thing. Cost: grows with `limit`, or with the entries that there are. */
  tally(query: JournalTally): Promise<Tallied>
}

/** Appends inside a transaction. */
export interface JournalWriter extends JournalReader {
  /** Appends; sequences grow without ever being reused. */
  record(entry: JournalEntry): Promise<void>
}
