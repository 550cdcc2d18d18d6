import { QuireError, type Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import { createAnswerMemo, type AnswerMemo } from './answer-memo.ts'
import { createChanges, type Changes } from './changes.ts'
import { createUnwritten, type Unwritten } from './day-use.ts'
import { createPictureRoom, type PictureRoom } from './picture-room.ts'
import { createRounds } from './event-loop.ts'
import type { ImageFormat, StoredBlob, RecordReader } from '../ports/index.ts'

/** A rendition. Its bytes are available until they are stored. */
export interface DerivedPicture extends StoredBlob {
  readonly bytes: Uint8Array | null
}

/** A rendition whose bytes are available. */
export interface MadePicture extends StoredBlob {
  readonly bytes: Uint8Array
}

/** A rendition that is not stored, or not yet. */
interface UnstoredPicture extends MadePicture {
  /** Unix ms until which it is served from memory: infinite while it is being stored. */
  readonly until: number
}

/** A stored rendition, as far as this process knows. */
export interface KnownPicture extends StoredBlob {
  /** Unix ms of its last use. */
  usedDate: number
  /** Unix ms at which its use was last reported to the storage. */
  reportedDate: number
}

/** The format and size of a preset's rendition, as first made. */
export interface MadePreset {
  readonly format: ImageFormat
  readonly size: number
}

/** Why a rendition could not be made. */
interface RefusedPicture {
  readonly reason: string
  /** Unix ms until which it is not tried again. */
  readonly until: number
}

/** An item as its JSON text, and parsed. */
interface ParsedItem {
  readonly text: string
  readonly item: Readonly<Item>
}

/**
 * Caches values under keys whose value never changes; the most recently used ones are retained.
 * Failures are not cached. The default size is 1.
 */
type Recall = <T>(key: string, make: () => Promise<T>, size?: number) => Promise<T>

/**
 * State that all calls of one engine share, apart from the memo. It may be lost at any time: then
 * the work is only done again.
 */
export interface Shared extends Changes {
  /** Recently requested renditions, by source and recipe. */
  readonly derived: LRUCache<string, KnownPicture>
  /**
   * By `presetsKey` of an image: the presets from which this process has made or served renditions,
   * for the answers about items.
   */
  readonly madePresets: LRUCache<string, Map<string, MadePreset>>
  /** The disk space that renditions use. */
  readonly pictureRoom: PictureRoom
  /** Renditions whose bytes are only in memory, by source and recipe. */
  readonly unstored: LRUCache<string, UnstoredPicture>
  /** Renditions that could not be made, by source and recipe. */
  readonly refused: LRUCache<string, RefusedPicture>
  /** Recently requested pages of sites, by their content. */
  readonly pages: LRUCache<string, Uint8Array>
  /**
   * The ids of recently sent events, by sequence number in the journal: sealing an id is the most
   * expensive part of sending an event.
   */
  readonly eventIds: LRUCache<number, Promise<string>>
  /** Joins running work with the same key, so that it is done once for any number of callers. */
  join<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Parsed items, by id. Each is valid only for its own text, and must not be changed. */
  readonly parsed: LRUCache<string, ParsedItem>
  /** Answers of reads. */
  readonly answers: AnswerMemo
  /** Manifests of publications. */
  readonly manifests: Recall
  /** GraphQL schemas; the size of each is the number of its types. */
  readonly graphs: Recall
  /**
   * Long work awaits this between its slices: in each round of the event loop, only one slice of
   * all such work runs.
   */
  readonly round: () => Promise<void>
  /**
   * Runs work of one key sequentially, in the order of the calls. Errors: those of the work;
   * `too_many_requests` when too many are waiting.
   */
  inOrder<T>(key: string, work: () => Promise<T>): Promise<T>
  /** What calls of this process use of budgets, as far as it is not written yet. */
  readonly unwritten: Unwritten
  /** Registers work that no caller waits for. It must not fail: it reports its own errors. */
  afterwards(work: Promise<void>): void
  /** Resolves when no such work is running. */
  settled(): Promise<void>
  /**
   * Asks such work, and event streams, to end at their next step. The rest is done at another time.
   */
  stop(): void
  readonly isStopping: () => boolean
  /** The kinds of jobs that this engine can run. */
  readonly jobKinds: readonly string[]
  /**
   * Takes one of the slots of a name and returns a function that releases it. Errors:
   * `too_many_requests` when none is free.
   */
  take(name: string, slots: number): () => void
}

// One entry per rendition in use: about 200 bytes.
const mostDerived = 20_000

// One entry per image in use: about 500 bytes.
const mostMadePresets = 10_000

// 64 MB: about a hundred renditions of the largest preset. At twice, a full disk costs twice the
// memory; at half, more renditions are made again.
const unstoredBytes = 64_000_000

// About 300 bytes each. At half, more renditions that cannot be made are tried again.
const mostRefused = 5_000

// About 300 bytes each. Streams that are further apart than this seal their own ids.
const mostEventIds = 2_000

// 32 MB: some thousand pages. At half, more pages are read from their packs.
const pageBytes = 32_000_000

// Characters; the parsed values need about three times as many bytes. At half, lists of 5 000 items
// of 3 KB are parsed again each time.
const mostParsed = 16_000_000

// A manifest of 10 000 pages needs about 10 MB.
const mostManifests = 8

// 75 kB each. At half, repositories with many types of their own have their schemas rebuilt, at 0.4
// ms per type.
const mostGraphTypes = 1_000

// With `max` instead of a size, a cache allocates all its entries at once: 1 MB for those of pictures.
const one = () => 1

/** Creates the shared state, initially empty. */
export function createShared(jobKinds: readonly string[] = []): Shared {
  const flights = new Map<string, Promise<unknown>>()
  const underWay = new Set<Promise<void>>()
  const inUse = new Map<string, number>()
  const changes = createChanges()
  let stopping = false
  return {
    ...changes,
    jobKinds,
    derived: new LRUCache({ maxSize: mostDerived, sizeCalculation: one }),
    madePresets: new LRUCache({ maxSize: mostMadePresets, sizeCalculation: one }),
    pictureRoom: createPictureRoom(),
    unstored: new LRUCache({
      maxSize: unstoredBytes,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes.length),
    }),
    refused: new LRUCache({ max: mostRefused }),
    pages: new LRUCache({ maxSize: pageBytes, sizeCalculation: (bytes) => bytes.length + 200 }),
    eventIds: new LRUCache({ max: mostEventIds }),
    join<T>(key: string, work: () => Promise<T>): Promise<T> {
      // Each key belongs to one caller of join, whose work always returns the same type.
      const existing = flights.get(key) as Promise<T> | undefined
      if (existing) return existing
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
    parsed: new LRUCache({ maxSize: mostParsed, sizeCalculation: ({ text }) => text.length + 200 }),
    answers: createAnswerMemo(),
    manifests: createRecall(mostManifests),
    graphs: createRecall(mostGraphTypes),
    round: createRounds(),
    inOrder: createInOrder(),
    unwritten: createUnwritten(),
    afterwards(work) {
      const ended = work.finally(() => underWay.delete(ended))
      underWay.add(ended)
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    stop() {
      stopping = true
      changes.changed()
    },
    isStopping: () => stopping,
    take(name, slots) {
      const count = inUse.get(name) ?? 0
      if (count >= slots) throw new QuireError('too_many_requests', undefined, { details: { retryAfter: 5 } })
      inUse.set(name, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (inUse.get(name) ?? 1) - 1
        if (left === 0) inUse.delete(name)
        else inUse.set(name, left)
      }
    },
  }
}

function createRecall(most: number): Recall {
  const known = new LRUCache<string, Promise<unknown>>({ maxSize: most })
  return <T>(key: string, make: () => Promise<T>, size = 1): Promise<T> => {
    // Each key belongs to one caller, whose work always returns the same type.
    const existing = known.get(key) as Promise<T> | undefined
    if (existing) return existing
    const making = make()
    known.set(key, making, { size: Math.min(size, most) })
    making.catch(() => known.delete(key))
    return making
  }
}

/**
 * More running or waiting calls per key are refused. A browser that shows a section requests a few
 * previews at a time.
 */
const mostWaiting = 20

interface Queue {
  count: number
  last: Promise<unknown>
}

/** Runs work of one key sequentially. */
export function createInOrder(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<string, Queue>()
  return async (key, work) => {
    const queue = queues.get(key) ?? { count: 0, last: Promise.resolve() }
    if (queue.count >= mostWaiting)
      throw new QuireError('too_many_requests', undefined, { details: { retryAfter: 5 } })
    queues.set(key, queue)
    queue.count += 1
    const mine = queue.last.then(work)
    queue.last = mine.catch(() => undefined)
    try {
      return await mine
    } finally {
      queue.count -= 1
      if (queue.count === 0) queues.delete(key)
    }
  }
}

/**
 * Caches values computed from records until any record changes. Every change clears the whole
 * cache, because records change rarely and are read with every call.
 */
export interface Memo {
  /** The cached value, or the result of `compute`. Failures are not cached. */
  get<T>(records: RecordReader, key: string, compute: () => Promise<T>): Promise<T>
}

// Maximum number of values: one for each account and repository in use. Beyond it the memo is
// cleared.
const capacity = 10_000

/** An empty memo for the committed records of one store. */
export function createMemo(): Memo {
  let generation = -1
  const values = new Map<string, Promise<unknown>>()
  const forget = (records: RecordReader) => {
    if (records.generation() === generation && values.size < capacity) return
    generation = records.generation()
    values.clear()
  }
  return {
    get<T>(records: RecordReader, key: string, compute: () => Promise<T>): Promise<T> {
      forget(records)
      // Each key belongs to one caller of get, which always computes the same type for it.
      const stored = values.get(key) as Promise<T> | undefined
      if (stored) return stored
      const computed = compute()
      values.set(key, computed)
      computed.catch(() => values.delete(key))
      return computed
    },
  }
}
