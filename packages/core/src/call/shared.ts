import { QuireError, type Item } from '@quire/contract'
import { LRUCache } from 'lru-cache'
import type { StoredBlob } from '../ports/index.ts'
import { createChanges, type Changes } from './changes.ts'

/** A derived picture. Its bytes are at hand until they are kept. */
export interface DerivedPicture extends StoredBlob {
  readonly bytes: Uint8Array | null
}

/** A picture whose bytes are at hand. */
export interface MadePicture extends StoredBlob {
  readonly bytes: Uint8Array
}

/** A picture that is not kept, or not yet. */
export interface UnkeptPicture extends MadePicture {
  /** Unix ms until which it is given from memory: for ever while it is being kept. */
  readonly until: number
}

/** Why no picture is made. */
export interface RefusedPicture {
  readonly reason: string
  /** Unix ms until which it is not tried again. */
  readonly until: number
}

/** A text as it is sent, and what it says. */
export interface ParsedItem {
  readonly text: string
  readonly item: Readonly<Item>
}

/** What was made under a key whose value never changes: the latest are at hand. What fails is not kept. Size: 1 where nothing is said. */
export type Recall = <T>(key: string, make: () => Promise<T>, size?: number) => Promise<T>

/** What all calls of one engine share, beside the memo. It can be lost at any time: only work is done again. */
export interface Shared extends Changes {
  /** Derived pictures by source and recipe, as far as they were asked for lately. */
  readonly derived: LRUCache<string, StoredBlob>
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
  /** Work that no caller waits for. It must not fail: it tells its failures itself. */
  afterwards(work: Promise<void>): void
  /** Resolves once no such work is under way. */
  settled(): Promise<void>
  /** Asks such work, and streams of events, to end at their next step: what is left of it is done another time. */
  stop(): void
  readonly isStopping: () => boolean
  /** Takes one of the places that a name has; the answer gives it back. Errors: `too_many_requests` when none is left. */
  take(name: string, places: number): () => void
}

// One entry for each rendition in use: about 200 bytes.
const derivedKept = 20_000

// 64 MB: some hundred pictures of the largest preset. At twice, a full disk costs twice the memory; at half, more pictures are made again.
const unkeptBytes = 64_000_000

// About 300 bytes each. At half, more pictures that cannot be made are tried again.
const refusedKept = 5_000

// About 300 bytes each. Streams that are further apart than this seal for themselves.
const eventIdsKept = 2_000

// 32 MB: some thousand pages. At half, more of them are read from their packs.
const pageBytes = 32_000_000

// Characters; what they say takes some three times as many bytes. At half, lists of 5 000 items of 3 KB are parsed anew each time.
const parsedKept = 16_000_000

// One of 10 000 pages takes some 10 MB.
const manifestsKept = 8

// 75 kB each. At half, repositories with many types of their own have their schemas made again, 0.4 ms a type.
const graphTypesKept = 1_000

/** Shares nothing yet. */
export function createShared(): Shared {
  const flights = new Map<string, Promise<unknown>>()
  const underWay = new Set<Promise<void>>()
  const taken = new Map<string, number>()
  const changes = createChanges()
  let stopping = false
  return {
    ...changes,
    derived: new LRUCache({ max: derivedKept }),
    unkept: new LRUCache({ maxSize: unkeptBytes, sizeCalculation: ({ bytes }) => Math.max(1, bytes.length) }),
    refused: new LRUCache({ max: refusedKept }),
    pages: new LRUCache({ maxSize: pageBytes, sizeCalculation: (bytes) => bytes.length + 200 }),
    eventIds: new LRUCache({ max: eventIdsKept }),
    join<T>(key: string, work: () => Promise<T>): Promise<T> {
      // Each key belongs to one caller of join, whose work always gives the same type.
      const present = flights.get(key) as Promise<T> | undefined
      if (present) return present
      const flight = work().finally(() => flights.delete(key))
      flights.set(key, flight)
      return flight
    },
    parsed: new LRUCache({ maxSize: parsedKept, sizeCalculation: ({ text }) => text.length + 200 }),
    manifests: createRecall(manifestsKept),
    graphs: createRecall(graphTypesKept),
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
    take(name, places) {
      const count = taken.get(name) ?? 0
      if (count >= places)
        throw new QuireError('too_many_requests', undefined, { details: { retryAfter: 5 } })
      taken.set(name, count + 1)
      let isHeld = true
      return () => {
        if (!isHeld) return
        isHeld = false
        const left = (taken.get(name) ?? 1) - 1
        if (left === 0) taken.delete(name)
        else taken.set(name, left)
      }
    },
  }
}

function createRecall(most: number): Recall {
  const known = new LRUCache<string, Promise<unknown>>({ maxSize: most })
  return <T>(key: string, make: () => Promise<T>, size = 1): Promise<T> => {
    // Each key belongs to one caller, whose work always gives the same type.
    const present = known.get(key) as Promise<T> | undefined
    if (present) return present
    const making = make()
    known.set(key, making, { size: Math.min(size, most) })
    making.catch(() => known.delete(key))
    return making
  }
}
