import { deepFreeze } from '@quire/contract/codec'
import { memoryEntities } from './entities.ts'
import { memoryJobs } from './jobs.ts'
import { memoryJournal } from './journal.ts'
import { memoryIndexes } from './search-index.ts'
import { commitState, newState, type OpenState, type State, type Ephemeral } from './state.ts'
import { memoryUsage } from './usage.ts'
import { compareText } from '../adapters/filters.ts'
import {
  StoreUnavailable,
  type Store,
  type Transaction,
  type EphemeraWriter,
  type TextWriter,
  StoreConflict,
  type RecordKind,
  type RecordKinds,
  type RecordWriter,
  type Stored,
} from '../ports/index.ts'
import { isWatched, keysOf } from '../adapters/record-keys.ts'

/**
 * A store in memory: for tests, storybooks and data that may be lost with the process. Transactions
 * run one after another, each on a layer over the committed state. When one throws, its layer is
 * dropped; readers outside never see it.
 */
export function createMemoryStore(): Store {
  const state = newState()
  let closed = false
  let commits = 0
  let last: Promise<unknown> = Promise.resolve()
  const open: OpenState = () => {
    if (closed) throw new StoreUnavailable('closed', 'The store is closed.')
    return state
  }
  return {
    ...portsOf(open),
    indexes: memoryIndexes(open),
    commits: { latest: () => commits, catchUp: async () => undefined },
    transaction: async (work) => {
      open()
      const done = last.then(() => within(state, work)).finally(() => (commits += 1))
      last = done.catch(() => undefined)
      return done
    },
    ping: async () => void open(),
    close: async () => {
      closed = true
      await last
    },
  }
}

/**
 * Runs `work` on a layer over `base`. The layer is committed when the work is done, and dropped
 * when it throws.
 */
async function within<T>(base: State, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const layer = newState(base)
  let ended = false
  const open: OpenState = () => {
    if (ended) throw new StoreUnavailable('closed', 'The transaction has ended.')
    return layer
  }
  try {
    const result = await work({ ...portsOf(open), nested: (inner) => within(open(), inner) })
    commitState(layer)
    return result
  } finally {
    ended = true
  }
}

function portsOf(open: OpenState) {
  return {
    entities: memoryEntities(open),
    records: memoryRecords(open),
    journal: memoryJournal(open),
    jobs: memoryJobs(open),
    ephemera: memoryEphemera(open),
    texts: memoryTexts(open),
    usage: memoryUsage(open),
  }
}

/** All expiring values are in one scope. */
const scope = ''

/** The expiring values of a state. */
function memoryEphemera(open: OpenState): EphemeraWriter {
  return {
    get: async (key, now) => findAlive(open(), key, now)?.value ?? null,
    put: async (key, value, expires) => open().ephemera.set(scope, key, { value, expires }),
    take: async (key, now) => {
      const state = open()
      const found = findAlive(state, key, now)
      state.ephemera.delete(scope, key)
      return found?.value ?? null
    },
    increment: async (key, now, expires) => {
      const state = open()
      const found = findAlive(state, key, now)
      const count = Number(found?.value ?? 0) + 1
      state.ephemera.set(scope, key, { value: String(count), expires: found?.expires ?? expires })
      return count
    },
    sweep: async (now, limit) => {
      const { ephemera } = open()
      const expired = [...ephemera.entries(scope)].filter(([, { expires }]) => expires <= now).slice(0, limit)
      for (const [key] of expired) ephemera.delete(scope, key)
      return expired.length
    },
  }
}

function findAlive(state: State, key: string, now: number): Ephemeral | null {
  const found = state.ephemera.get(scope, key)
  return found && found.expires > now ? found : null
}

/** The texts of the files of a state. */
function memoryTexts(open: OpenState): TextWriter {
  return {
    get: async (hash) => open().texts.get(scope, hash) ?? null,
    put: async (hash, text) => {
      const { texts } = open()
      if (texts.get(scope, hash) === undefined) texts.set(scope, hash, text)
    },
    sweep: async (part) => sweep(open(), part),
  }
}

function sweep({ texts, blobs }: State, { after, limit }: { after: string; limit: number }) {
  const needed = new Set([...blobs.values(scope)].flat())
  const hashes = [...texts.entries(scope)].map(([hash]) => hash).filter((hash) => hash > after)
  const part = hashes.toSorted(compareText).slice(0, limit)
  const gone = part.filter((hash) => !needed.has(hash))
  for (const hash of gone) texts.delete(scope, hash)
  return { next: part.length < limit ? null : (part.at(-1) ?? null), forgotten: gone.length }
}

/** The records of a state. */
function memoryRecords(open: OpenState): RecordWriter {
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

/** Narrows a record of any kind to one kind: only `putRecord` writes to the scope of a kind. */
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
  // Every reader gets the same object.
  const stored = deepFreeze(structuredClone({ ...record, revision: expectedRevision + 1 }))
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
