import { QuireError, type JournalEvent } from '@quire/contract'
import type { JournalEntry, RecordKind, RecordKinds, Stored } from '../ports/index.ts'
import { Serialized } from './answer.ts'
import { type Call, type WriteCall } from './call.ts'
import { requireMatch } from './if-match.ts'
import { recordEvent } from './journal.ts'
import { pageOf, type PageInput, type SmallPage } from './paging.ts'

/** A record before and after a change; null when it did not exist or no longer exists. */
export interface RecordChange<R> {
  readonly before: R | null
  readonly after: R | null
}

/** Makes the journal entry for a change. */
type EntryOf<R> = (call: Call, event: JournalEvent, change: RecordChange<R>) => JournalEntry

/** The rules of one kind of record. */
interface RecordRules<K extends RecordKind, T> {
  readonly kind: K
  /** Its name in messages: `saved query`. */
  readonly called: string
  /** `updated` is absent for kinds that are never changed. */
  readonly events: {
    readonly created: JournalEvent
    readonly updated?: JournalEvent
    readonly deleted: JournalEvent
  }
  readonly entry: EntryOf<RecordKinds[K]>
  /** The record as sent to callers. Default: as stored. */
  readonly serialize?: (stored: Stored<K>) => T
}

/** The operations that records of all kinds share. */
export interface Records<K extends RecordKind, T> {
  /** Errors: `not_found`. */
  find(call: Pick<Call, 'store'>, id: string): Promise<Stored<K>>
  /**
   * Returns a record that was looked up by `ref`. Errors: `not_found` when null;
   * `precondition_failed` when If-Match names another revision.
   */
  matched(call: Call, record: Stored<K> | null, ref: string): Stored<K>
  /** Like `matched`, by id. */
  require(call: Call, id: string): Promise<Stored<K>>
  page(records: readonly Stored<K>[], input: PageInput): SmallPage<T>
  serialize(stored: Stored<K>): Serialized<T>
  /**
   * Writes a record over another, or a new one over null; then runs `follow` and writes the journal
   * entry. Errors: `name_taken`.
   */
  put(call: WriteCall, change: Put<K>): Promise<Stored<K>>
  /** Errors: `precondition_failed`. */
  remove(call: WriteCall, found: Stored<K>, follow?: () => Promise<void>): Promise<undefined>
}

/** A write of a record. */
export interface Put<K extends RecordKind> {
  readonly before: Stored<K> | null
  readonly after: RecordKinds[K]
  readonly follow?: () => Promise<void>
}

/** Finds, checks, writes, serializes and journals the records of a kind, according to its rules. */
export function recordsOf<K extends RecordKind, T = RecordKinds[K]>(rules: RecordRules<K, T>): Records<K, T> {
  const { kind, called, events, entry } = rules
  const found = (record: Stored<K> | null, ref: string) => {
    if (record) return record
    throw new QuireError('not_found', `There is no ${called} "${ref}".`)
  }
  const find: Records<K, T>['find'] = async ({ store }, id) => found(await store.records.get(kind, id), id)
  const serialize = (stored: Stored<K>) => {
    const answer = rules.serialize ? rules.serialize(stored) : plainRecord(stored)
    return new Serialized<T>(JSON.stringify(answer), recordTag(stored))
  }
  const matched: Records<K, T>['matched'] = (call, record, ref) => {
    const stored = found(record, ref)
    requireMatch(call, recordTag(stored))
    return stored
  }
  return {
    find,
    matched,
    serialize,
    require: async (call, id) => matched(call, await call.store.records.get(kind, id), id),
    page: (records, input) => {
      const { items, ...page } = pageOf(records, input)
      return { ...page, items: items.map((stored) => serialize(stored).value()) }
    },
    put: async (call, { before, after, follow }) => {
      const stored = await call.store.records.put(kind, after, before?.revision ?? 0)
      await follow?.()
      const event = (before && events.updated) ?? events.created
      await call.record(entry(call, event, { before, after }))
      return stored
    },
    remove: async (call, record, follow) => {
      await call.store.records.delete(kind, record.id, record.revision)
      await follow?.()
      await call.record(entry(call, events.deleted, { before: record, after: null }))
      return undefined
    },
  }
}

/**
 * The journal entry for records that belong to a repository: that one changed, without the values.
 */
export function entryInRepository<R extends { readonly id: string; readonly repositoryId: string }>(
  kind: RecordKind,
): EntryOf<R> {
  return (call, event, { before, after }) => {
    const { id = '', repositoryId = '' } = after ?? before ?? {}
    return recordEvent(call, event, { kind, id, repositoryId })
  }
}

/** The entity tag of a record's revision. */
export function recordTag({ id, revision }: { id: string; revision: number }): string {
  return `${id}.${revision}`
}

/** A record as sent to callers: without its revision, which is in the ETag. */
export function serializeRecord<K extends RecordKind>(stored: Stored<K>): Serialized<RecordKinds[K]> {
  return new Serialized(JSON.stringify({ ...stored, revision: undefined }), recordTag(stored))
}

/** A record without its revision. */
export function plainRecord<R extends { readonly revision: number }>(stored: R): Omit<R, 'revision'> {
  const { revision: _revision, ...record } = stored
  return record
}

/** The members of a patch that are present. */
export function sentMembers<T extends object>(
  patch: T | undefined,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/**
 * Errors: `not_found`, naming `what`, when null; `precondition_failed` when If-Match names another
 * revision.
 */
export function requireRecord<K extends RecordKind>(
  call: Call,
  found: Stored<K> | null,
  what: string,
): Stored<K> {
  if (!found) throw new QuireError('not_found', `There is no ${what}.`)
  requireMatch(call, recordTag(found))
  return found
}
