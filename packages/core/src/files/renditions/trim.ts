import type { Call } from '../../engine/call.ts'
import { roomOf } from '../../engine/picture-room.ts'
import type { DerivedBlob } from '../../ports/index.ts'
import { pictureKey } from './picture-request.ts'

/**
 * 4 GiB: a hundred thousand renditions of 40 KB. At half, a large archive makes more of them again.
 */
const defaultRoom = 4 * 1024 ** 3

/**
 * The fraction of the space that is kept in use after trimming. If higher, files are listed more
 * often; if lower, more renditions are made again.
 */
const remainingPart = 0.9

/**
 * Minimum ms between two listings when storing renditions. Listing a hundred thousand files takes
 * some seconds.
 */
const listedEvery = 60_000

/** Bytes that renditions may use. */
function roomIn({ environment }: Call): number {
  return environment.renditionCacheBytes ?? defaultRoom
}

/**
 * Reserves space for a rendition about to be stored. If there is too little, frees some, but at
 * most once a minute. Null when there is none. Call the returned function with whether the
 * rendition was stored.
 */
export async function takeRoom(call: Call, size: number): Promise<((isStored: boolean) => void) | null> {
  const { pictureRoom } = call.shared
  const room = roomIn(call)
  if (roomOf(size) > room) return null
  const isFull = () => (pictureRoom.used() ?? Number.POSITIVE_INFINITY) + roomOf(size) > room
  const mayList = () => call.environment.clock.now() - pictureRoom.listedDate >= listedEvery
  const coming = roomOf(size)
  const step = () => requireGoingOn(call)
  if (isFull() && mayList())
    await call.shared.join('pictures trimmed', () => trimPictures(call, { coming, step }))
  return isFull() ? null : pictureRoom.take(size)
}

/**
 * Errors: throws when the engine is closing, because `close` waits for running work: listing half a
 * million files takes half a minute.
 */
function requireGoingOn({ shared }: Call): void {
  if (shared.isStopping()) throw new Error('The service is stopping.')
}

/** What trimming removed. */
export interface TrimResult {
  readonly pictures: number
  readonly pictureBytes: number
}

/** Options of trimming. */
export interface TrimOptions {
  /** Disk bytes that are about to be used. Default: 0. */
  readonly coming?: number
  /** Called before each rendition; if it throws, trimming ends and the error is rethrown. */
  readonly step?: () => void
}

/**
 * Measures the space that renditions use. If that, plus what is about to be stored, exceeds the
 * limit, the least recently used ones are removed until nine tenths of the limit are in use, or
 * less if the coming bytes need it.
 */
export async function trimPictures(
  call: Call,
  { coming = 0, step = () => undefined }: TrimOptions = {},
): Promise<TrimResult> {
  const { environment, shared } = call
  const { derived } = environment.blobs
  const listed = shared.pictureRoom.list(environment.clock.now())
  const most = roomIn(call) - coming
  const few = Math.min(most, roomIn(call) * remainingPart)
  const ages = await agesOf(call, step)
  const trimmed = { pictures: 0, pictureBytes: 0 }
  let left = sum(ages.values())
  if (left > most) {
    const last = lastToGo(ages, left - few)
    for await (const picture of derived.list()) {
      step()
      if (left <= few) break
      if (minuteOf(usedDate(call, picture)) > last) continue
      shared.derived.delete(pictureKey(picture))
      await derived.remove(picture)
      left -= roomOf(picture.size)
      trimmed.pictures += 1
      trimmed.pictureBytes += picture.size
    }
  }
  listed(left)
  return trimmed
}

type ListedPicture = Omit<DerivedBlob, 'hash'>

/**
 * Bytes by the minute of the last use. There may be half a million renditions, so no list of them
 * is held in memory.
 */
async function agesOf(call: Call, step: () => void): Promise<ReadonlyMap<number, number>> {
  const ages = new Map<number, number>()
  for await (const picture of call.environment.blobs.derived.list()) {
    step()
    const minute = minuteOf(usedDate(call, picture))
    ages.set(minute, (ages.get(minute) ?? 0) + roomOf(picture.size))
  }
  return ages
}

/** The storage records uses only once a day; this process knows its own exactly. */
function usedDate({ shared }: Call, picture: ListedPicture): number {
  return Math.max(picture.usedDate, shared.derived.peek(pictureKey(picture))?.usedDate ?? 0)
}

function minuteOf(date: number): number {
  return Math.floor(date / 60_000)
}

/** The minute up to which renditions must be removed to free `excess` bytes. */
function lastToGo(ages: ReadonlyMap<number, number>, excess: number): number {
  let gone = 0
  for (const [minute, bytes] of [...ages].toSorted(([a], [b]) => a - b)) {
    gone += bytes
    if (gone >= excess) return minute
  }
  return Number.POSITIVE_INFINITY
}

function sum(numbers: Iterable<number>): number {
  let all = 0
  for (const one of numbers) all += one
  return all
}
