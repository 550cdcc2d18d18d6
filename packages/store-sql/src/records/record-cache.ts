import type { RecordKind, RecordKinds, Stored } from '@quire/core/ports'
import { isWatched, keysOf } from '@quire/core/ports'

/** A cached record. It is frozen, because all readers share it. */
export interface CachedRecord<K extends RecordKind = RecordKind> {
  readonly id: string
  readonly record: Stored<K>
  readonly keys: readonly string[]
}

/** Changed records of one kind by id; null for a deleted one. */
type Changes = Map<string, CachedRecord | null>

/** Records as readers at one layer see them. */
export interface RecordView {
  get(kind: RecordKind, id: string): CachedRecord | null
  find(kind: RecordKind, key: string): CachedRecord | null
  /** All records of a kind, ordered by id. */
  list(kind: RecordKind): readonly CachedRecord[]
  generation(): number
  /** A generation that no reader has seen yet. */
  nextGeneration(): number
}

/** Receives a layer's changes when the layer completes. */
interface RecordTarget {
  apply(kind: RecordKind, changes: Changes): void
}

/** Committed records. A kind is present once it was loaded. */
export interface RecordCache extends RecordView, RecordTarget {
  isLoaded(kind: RecordKind): boolean
  load(kind: RecordKind, all: readonly CachedRecord[]): void
  /** Drops some or all kinds from the cache. They are loaded again on the next read. */
  forget(kinds: readonly RecordKind[] | 'all'): void
  /**
   * Grows whenever a record changes or a kind is dropped. What was read before that must not be
   * cached.
   */
  changes(): number
}

/** Changed records on top of a view. */
export interface RecordLayer extends RecordView, RecordTarget {
  /** The kinds with changed records. */
  changed(): readonly RecordKind[]
  put(kind: RecordKind, cached: CachedRecord): void
  delete(kind: RecordKind, id: string): void
  moveTo(target: RecordTarget): void
}

/**
 * A record with its keys. It is parsed from its JSON, so that memory holds exactly what a restart
 * would read.
 */
export function retain<K extends RecordKind>(kind: K, json: string, revision: number): CachedRecord<K> {
  const record: RecordKinds[K] = JSON.parse(json)
  const stored = deepFreeze({ ...record, revision })
  return { id: record.id, record: stored, keys: keysOf(kind, record) }
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  for (const member of Object.values(value)) deepFreeze(member)
  return Object.freeze(value)
}

interface LoadedKind {
  readonly byId: Map<string, CachedRecord>
  readonly byKey: Map<string, CachedRecord>
  /** Ordered by id; null after a change, until it is read again. */
  sorted: readonly CachedRecord[] | null
}

export function createRecordCache(): RecordCache {
  const kinds = new Map<RecordKind, LoadedKind>()
  let issued = 1
  let generation = 1
  let changes = 0
  return {
    get: (kind, id) => kinds.get(kind)?.byId.get(id) ?? null,
    find: (kind, key) => kinds.get(kind)?.byKey.get(key) ?? null,
    list: (kind) => sortedOf(kinds.get(kind)),
    generation: () => generation,
    nextGeneration: () => ++issued,
    isLoaded: (kind) => kinds.has(kind),
    load(kind, all) {
      const loaded: LoadedKind = { byId: new Map(), byKey: new Map(), sorted: null }
      for (const cached of all) add(loaded, cached)
      kinds.set(kind, loaded)
    },
    apply(kind, changed) {
      changes += 1
      if (isWatched(kind)) generation = ++issued
      const loaded = kinds.get(kind)
      if (loaded) change(loaded, changed)
    },
    forget(which) {
      changes += 1
      if (which === 'all' || which.some(isWatched)) generation = ++issued
      for (const kind of which === 'all' ? [...kinds.keys()] : which) kinds.delete(kind)
    },
    changes: () => changes,
  }
}

function sortedOf(loaded: LoadedKind | undefined): readonly CachedRecord[] {
  if (!loaded) return []
  loaded.sorted ??= byId(loaded.byId.values())
  return loaded.sorted
}

function add(loaded: LoadedKind, cached: CachedRecord): void {
  loaded.byId.set(cached.id, cached)
  for (const key of cached.keys) loaded.byKey.set(key, cached)
}

/**
 * Removes all old keys before adding new ones, because one transaction may move a key from one
 * record to another.
 */
function change(loaded: LoadedKind, changes: Changes): void {
  loaded.sorted = null
  for (const id of changes.keys()) {
    for (const key of loaded.byId.get(id)?.keys ?? []) loaded.byKey.delete(key)
    loaded.byId.delete(id)
  }
  for (const cached of changes.values()) if (cached) add(loaded, cached)
}

export function createRecordLayer(under: RecordView): RecordLayer {
  const kinds = new Map<RecordKind, Changes>()
  let generation: number | null = null
  const set = (kind: RecordKind, id: string, cached: CachedRecord | null) => {
    const changes: Changes = kinds.get(kind) ?? new Map<string, CachedRecord | null>()
    kinds.set(kind, changes.set(id, cached))
    if (isWatched(kind)) generation = under.nextGeneration()
  }
  return {
    get(kind, id) {
      const changed = kinds.get(kind)?.get(id)
      return changed === undefined ? under.get(kind, id) : changed
    },
    find: (kind, key) => findIn(kinds.get(kind), key, () => under.find(kind, key)),
    list: (kind) => listIn(kinds.get(kind), under.list(kind)),
    generation: () => generation ?? under.generation(),
    nextGeneration: () => under.nextGeneration(),
    changed: () => [...kinds.keys()],
    put: (kind, cached) => set(kind, cached.id, cached),
    delete: (kind, id) => set(kind, id, null),
    apply(kind, changes) {
      for (const [id, cached] of changes) set(kind, id, cached)
    },
    moveTo(target) {
      for (const [kind, changes] of kinds) target.apply(kind, changes)
    },
  }
}

function findIn(
  changes: Changes | undefined,
  key: string,
  below: () => CachedRecord | null,
): CachedRecord | null {
  for (const cached of changes?.values() ?? []) if (cached?.keys.includes(key)) return cached
  const found = below()
  return found && changes?.has(found.id) ? null : found
}

function listIn(changes: Changes | undefined, below: readonly CachedRecord[]): readonly CachedRecord[] {
  if (!changes) return below
  const unchanged = below.filter(({ id }) => !changes.has(id))
  const changed = [...changes.values()].filter((cached) => cached !== null)
  return byId([...unchanged, ...changed])
}

/** Ordered by code point, as stores compare text. */
function byId(all: Iterable<CachedRecord>): readonly CachedRecord[] {
  return [...all].toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
