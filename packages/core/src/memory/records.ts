import {
  keysOf,
  StoreConflict,
  type RecordKind,
  type RecordKinds,
  type RecordWriter,
  type Stored,
} from '../ports/index.ts'
import { compareText } from './compare.ts'
import type { State } from './state.ts'

/** Tells what records a state was computed from. */
export interface Generation {
  current(): number
  /** A record of this state was written. */
  advance(): void
}

/** The records of a state. */
export function memoryRecords(state: State, generation: Generation): RecordWriter {
  return {
    get: async (kind, id) => recordsOf(state, kind).get(id) ?? null,
    find: async (kind, key) => {
      const id = state.table('keys', kind).get(key)
      return id === undefined ? null : (recordsOf(state, kind).get(id) ?? null)
    },
    list: async (kind) => [...recordsOf(state, kind).values()].toSorted((a, b) => compareText(a.id, b.id)),
    generation: () => generation.current(),
    put: async (kind, record, expectedRevision) => {
      const stored = putRecord(state, { kind, record, expectedRevision })
      generation.advance()
      return stored
    },
    delete: async (kind, id, expectedRevision) => {
      const present = recordsOf(state, kind).get(id)
      if (!present || present.revision !== expectedRevision) throw new StoreConflict('stale', id)
      freeKeys(state, kind, present)
      recordsOf(state, kind).delete(id)
      generation.advance()
    },
  }
}

interface RecordTable<K extends RecordKind> {
  get(id: string): Stored<K> | undefined
  set(id: string, record: Stored<K>): void
  delete(id: string): void
  values(): Iterable<Stored<K>>
}

// The table of a kind holds records of that kind only: putRecord is the one that writes it.
function recordsOf<K extends RecordKind>(state: State, kind: K): RecordTable<K> {
  return state.table('records', kind) as unknown as RecordTable<K>
}

function putRecord<K extends RecordKind>(
  state: State,
  { kind, record, expectedRevision }: { kind: K; record: RecordKinds[K]; expectedRevision: number },
): Stored<K> {
  const records = recordsOf(state, kind)
  const present = records.get(record.id)
  if ((present?.revision ?? 0) !== expectedRevision) throw new StoreConflict('stale', record.id)
  const keys = state.table('keys', kind)
  const taken = keysOf(kind, record).find((key) => (keys.get(key) ?? record.id) !== record.id)
  if (taken !== undefined) throw new StoreConflict('key', taken)
  if (present) freeKeys(state, kind, present)
  for (const key of keysOf(kind, record)) keys.set(key, record.id)
  const stored = { ...record, revision: expectedRevision + 1 }
  records.set(record.id, stored)
  return stored
}

function freeKeys<K extends RecordKind>(state: State, kind: K, record: RecordKinds[K]): void {
  for (const key of keysOf(kind, record)) state.table('keys', kind).delete(key)
}
