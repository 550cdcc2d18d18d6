import { QuireError, type Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import { createChanges, type Changes } from './changes.ts'
import { createPictureRoom, type PictureRoom } from './slots.ts'
import { createRounds } from './event-loop.ts'
import type { ImageFormat, StoredBlob, RecordReader } from '../ports/index.ts'

/** A derived picture. Its bytes are at hand until they are kept. */
export interface DerivedPicture extends StoredBlob {
  readonly bytes: Uint8Array | null
}

/** A picture whose bytes are at hand. */
export interface MadePicture extends StoredBlob {
  readonly bytes: Uint8Array
}

/** A picture that is not kept, or not yet. */
interface UnkeptPicture extends MadePicture {
  /** Unix ms until which it is given from memory: for ever while it is being kept. */
  readonly until: number
}

/** A picture that is kept, as far as this process knows. */
export interface KnownPicture extends StoredBlob {
  /** Unix ms at which it was used last. */
  usedDate: number
  /** Unix ms at which that was told to the storage last. */
  reportedDate: number
}

/** A preset as it was made first. */
export interface MadePreset {
  readonly format: ImageFormat
  readonly size: number
}

/** Why no picture is made. */
interface RefusedPicture {
  readonly reason: string
  /** Unix ms until which it is not tried again. */
  readonly until: number
}

/** A text as it is sent, and what it says. */
interface ParsedItem {
  readonly text: string
  readonly item: Readonly<Item>
}

/** What was made under a key whose value never changes: the latest are at hand. What fails is not kept. Size: 1 where nothing is said. */
type Recall = <T>(key: string, make: () => Promise<T>, size?: number) => Promise<T>

/** What all calls of one engine share, beside the memo. It can be lost at any time: only work is done again. */
export interface Shared extends Changes {
  /** Derived pictures by source and recipe, as far as they were asked for lately. */
  readonly derived: LRUCache<string, KnownPicture>
  /** Of pictures by `presetsKey`, the presets that were made of them, as far as this process served them: what items say of those. */
  readonly madePresets: LRUCache<string, Map<string, MadePreset>>
  /** What they take of their room. */
  readonly pictureRoom: PictureRoom
  /** Those of them whose bytes are in memory alone, by the same keys. */
  readonly unkept: LRUCache<string, UnkeptPicture>
  /** Those that could not be made, by the same keys. */
  readonly refused: LRUCache<string, RefusedPicture>
  /** Pages of sites by what is in them, as far as they were asked for lately. */
  readonly pages: LRUCache<string, Uint8Array>
  /** The ids of events that were told lately, by their places in the journal: to seal one costs more than all else that is done to tell it. */
  readonly eventIds: LRUCache<number, Promise<string>>
  /** Joins work that is under way under the same key: however many ask, it is done once. */
  join<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Items as they are sent, parsed, by the id of each: they are right for that text alone, and nobody may change them. */
  readonly parsed: LRUCache<string, ParsedItem>
  /** Manifests of publications. */
  readonly manifests: Recall
  /** Schemas of GraphQL; each is as large as the types that it knows. */
  readonly graphs: Recall
  /** Long work waits for this between its slices: of all such work, one slice runs in each round of the event loop. */
  readonly round: () => Promise<void>
  /** Work of one key, one after the other, in the order of asking. Errors: those of the work; `too_many_requests` when too many wait. */
  inOrder<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Work that no caller waits for. It must not fail: it tells its failures itself. */
  afterwards(work: Promise<void>): void
  /** Resolves once no such work is under way. */
  settled(): Promise<void>
  /** Asks such work, and streams of events, to end at their next step: what is left of it is done another time. */
  stop(): void
  readonly isStopping: () => boolean
  /** Kinds of jobs that this engine can run. */
  readonly jobKinds: readonly string[]
  /** Takes one of the places that a name has; the answer gives it back. Errors: `too_many_requests` when none is left. */
  take(name: string, slots: number): () => void
}

// One entry for each rendition in use: about 200 bytes.
const mostDerived = 20_000

// One entry for each picture in use: about 500 bytes.
const mostMadePresets = 10_000

// 64 MB: some hundred pictures of the largest preset. At twice, a full disk costs twice the memory; at half, more pictures are made again.
const unkeptBytes = 64_000_000

// About 300 bytes each. At half, more pictures that cannot be made are tried again.
const mostRefused = 5_000

// About 300 bytes each. Streams that are further apart than this seal for themselves.
const mostEventIds = 2_000

// 32 MB: some thousand pages. At half, more of them are read from their packs.
const pageBytes = 32_000_000

// Characters; what they say takes some three times as many bytes. At half, lists of 5 000 items of 3 KB are parsed anew each time.
const mostParsed = 16_000_000

// One of 10 000 pages takes some 10 MB.
const mostManifests = 8

// 75 kB each. At half, repositories with many types of their own have their schemas made again, 0.4 ms a type.
const mostGraphTypes = 1_000

/** Shares nothing yet. */
export function createShared(jobKinds: readonly string[] = []): Shared {
  const flights = new Map<string, Promise<unknown>>()
  const underWay = new Set<Promise<void>>()
  const inUse = new Map<string, number>()
  const changes = createChanges()
  let stopping = false
  return {
    ...changes,
    jobKinds,
    derived: new LRUCache({ max: mostDerived }),
    madePresets: new LRUCache({ max: mostMadePresets }),
    pictureRoom: createPictureRoom(),
    unkept: new LRUCache({ maxSize: unkeptBytes, sizeCalculation: ({ bytes }) => Math.max(1, bytes.length) }),
    refused: new LRUCache({ max: mostRefused }),
    pages: new LRUCache({ maxSize: pageBytes, sizeCalculation: (bytes) => bytes.length + 200 }),
    eventIds: new LRUCache({ max: mostEventIds }),
    join<T>(key: string, work: () => Promise<T>): Promise<T> {
      // Each key belongs to one caller of join, whose work always gives the same type.
      const existing = flights.get(key) as Promise<T> | undefined
      if (existing) return existing
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
    parsed: new LRUCache({ maxSize: mostParsed, sizeCalculation: ({ text }) => text.length + 200 }),
    manifests: createRecall(mostManifests),
    graphs: createRecall(mostGraphTypes),
    round: createRounds(),
    inOrder: createInOrder(),
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
    // Each key belongs to one caller, whose work always gives the same type.
    const existing = known.get(key) as Promise<T> | undefined
    if (existing) return existing
    const making = make()
    known.set(key, making, { size: Math.min(size, most) })
    making.catch(() => known.delete(key))
    return making
  }
}

/** Who has so many under way or waiting is refused the next. A browser that shows a section asks for a few previews at a time. */
const mostWaiting = 20

interface Queue {
  count: number
  last: Promise<unknown>
}

/** Runs work of one key one after the other. */
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
 * Keeps what was computed from records for as long as no record changes. Everything is dropped at the first change:
 * records change rarely and are read with every call.
 */
export interface Memo {
  /** The kept value, or what `compute` gives. A failing computation is not kept. */
  get<T>(records: RecordReader, key: string, compute: () => Promise<T>): Promise<T>
}

// At most this many values: one for each account and repository in use. Past it the memo starts anew.
const capacity = 10_000

/** An empty memo, for the committed records of one store. */
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
