import {
  isWatched,
  keysOf,
  StoreConflict,
  type RecordKind,
  type RecordKinds,
  type RecordWriter,
  type Stored,
} from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { OpenState, State } from './state.ts'

/** The records of a state. */
export function memoryRecords(open: OpenState): RecordWriter {
  return {
    get: async (kind, id) => recordOf(open(), kind, id),
    find: async (kind, key) => {
      const state = open()
      const id = state.recordIds.get(kind, key)
      return id === undefined ? null : recordOf(state, kind, id)
    },
    list: async (kind) => {
      const records = [...open().records.values(kind)].map((record) => ofKind(kind, record))
      return records.toSorted((a, b) => compareText(a.id, b.id))
    },
    generation: () => open().generation.current(),
    put: async (kind, record, expectedRevision) => putRecord(open(), { kind, record, expectedRevision }),
    delete: async (kind, id, expectedRevision) => deleteRecord(open(), { kind, id, expectedRevision }),
  }
}

function recordOf<K extends RecordKind>(state: State, kind: K, id: string): Stored<K> | null {
  const record = state.records.get(kind, id)
  return record ? ofKind(kind, record) : null
}

/** The border between a table of all kinds and the type of one: only putRecord writes the scope of a kind. */
function ofKind<K extends RecordKind>(_kind: K, record: Stored<RecordKind>): Stored<K> {
  return record as unknown as Stored<K>
}

interface Put<K extends RecordKind> {
  readonly kind: K
  readonly record: RecordKinds[K]
  readonly expectedRevision: number
}

function putRecord<K extends RecordKind>(
  state: State,
  { kind, record, expectedRevision }: Put<K>,
): Stored<K> {
  const before = recordOf(state, kind, record.id)
  if ((before?.revision ?? 0) !== expectedRevision) throw new StoreConflict('stale', record.id)
  const inUse = keysOf(kind, record).find(
    (key) => (state.recordIds.get(kind, key) ?? record.id) !== record.id,
  )
  if (inUse !== undefined) throw new StoreConflict('key', inUse)
  if (before) freeKeys(state, kind, before)
  for (const key of keysOf(kind, record)) state.recordIds.set(kind, key, record.id)
  const stored = frozen(structuredClone({ ...record, revision: expectedRevision + 1 }))
  state.records.set(kind, record.id, stored)
  if (isWatched(kind)) state.generation.advance()
  return stored
}

function deleteRecord(
  state: State,
  { kind, id, expectedRevision }: { kind: RecordKind; id: string; expectedRevision: number },
): void {
  const before = recordOf(state, kind, id)
  if (before?.revision !== expectedRevision) throw new StoreConflict('stale', id)
  freeKeys(state, kind, before)
  state.records.delete(kind, id)
  if (isWatched(kind)) state.generation.advance()
}

function freeKeys<K extends RecordKind>(state: State, kind: K, record: RecordKinds[K]): void {
  for (const key of keysOf(kind, record)) state.recordIds.delete(kind, key)
}

/** Every reader gets the same object, so that nobody may change it. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}
