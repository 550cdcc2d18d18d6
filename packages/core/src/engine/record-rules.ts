import { QuireError, type JournalEvent } from '@quire/contract'
import type { JournalEntry, RecordKind, RecordKinds, Stored } from '../ports/index.ts'
import { Serialized } from './answer.ts'
import { requireMatch, type Call, type WriteCall } from './call.ts'
import { recordEvent } from './journal.ts'
import { pageOf, type PageInput, type SmallPage } from './paging.ts'

/** A record before and after a change; null: there was none, or is none left. */
export interface RecordChange<R> {
  readonly before: R | null
  readonly after: R | null
}

/** What the journal keeps of a change. */
type EntryOf<R> = (call: Call, event: JournalEvent, change: RecordChange<R>) => JournalEntry

/** What a kind of record has for itself. */
interface RecordRules<K extends RecordKind, T> {
  readonly kind: K
  /** As messages call one: `saved query`. */
  readonly called: string
  /** `updated` is absent where none is ever changed. */
  readonly events: {
    readonly created: JournalEvent
    readonly updated?: JournalEvent
    readonly deleted: JournalEvent
  }
  readonly entry: EntryOf<RecordKinds[K]>
  /** As it is answered. Default: as it is stored. */
  readonly serialize?: (stored: Stored<K>) => T
}

/** What is done alike with the records of every kind. */
export interface Records<K extends RecordKind, T> {
  /** Errors: `not_found`. */
  find(call: Pick<Call, 'store'>, id: string): Promise<Stored<K>>
  /** One that was looked up by `ref`. Errors: `not_found` when null; `precondition_failed` when If-Match names another revision. */
  matched(call: Call, record: Stored<K> | null, ref: string): Stored<K>
  /** The same by its id. */
  require(call: Call, id: string): Promise<Stored<K>>
  page(records: readonly Stored<K>[], input: PageInput): SmallPage<T>
  serialize(stored: Stored<K>): Serialized<T>
  /** Writes a record over another, or a new one over null, and the journal after what follows from it. Errors: `name_taken`. */
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

/** Finds, checks, writes, answers and tells of the records of a kind, as its rules say. */
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

/** The entry of records that belong to a repository: that it changed, not how. */
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

/** A record as answered: without its revision, which is in the ETag. */
export function serializeRecord<K extends RecordKind>(stored: Stored<K>): Serialized<RecordKinds[K]> {
  return new Serialized(JSON.stringify({ ...stored, revision: undefined }), recordTag(stored))
}

/** A record without its revision. */
export function plainRecord<R extends { readonly revision: number }>(stored: R): Omit<R, 'revision'> {
  const { revision: _revision, ...record } = stored
  return record
}

/** The members of a patch that were sent. */
export function sentMembers<T extends object>(
  patch: T | undefined,
): { [K in keyof T]: Exclude<T[K], undefined> } {
  const entries = Object.entries(patch ?? {}).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], undefined> }
}

/** Errors: `not_found` naming what was asked for when null; `precondition_failed` when If-Match names another revision. */
export function requireRecord<K extends RecordKind>(
  call: Call,
  found: Stored<K> | null,
  what: string,
): Stored<K> {
  if (!found) throw new QuireError('not_found', `There is no ${what}.`)
  requireMatch(call, recordTag(found))
  return found
}
