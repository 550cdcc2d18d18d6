import type { Call } from '../../engine/call.ts'
import { roomOf } from '../../engine/slots.ts'
import type { DerivedBlob } from '../../ports/index.ts'
import { pictureKey } from './picture-request.ts'

/** 4 GiB: a hundred thousand pictures of 40 KB. At half, a large archive makes more of them again. */
const defaultRoom = 4 * 1024 ** 3

/** What is left of the room when it was full: at more, it is listed oftener, at less, more pictures are made again. */
const remainingPart = 0.9

/** Ms between two listings on behalf of what is to be kept. A hundred thousand files take some seconds. */
const listedEvery = 60_000

/** Bytes that pictures may take. */
function roomIn({ environment }: Call): number {
  return environment.renditionCacheBytes ?? defaultRoom
}

/**
 * Takes room for a picture that is about to be kept, and makes some where there is too little, but once a minute at most; null where there is none.
 * The answer is told whether the picture was kept.
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

/** Errors: Error when the engine ends, which waits for what it began: half a million files are half a minute. */
function requireGoingOn({ shared }: Call): void {
  if (shared.isStopping()) throw new Error('The service ends.')
}

/** What was removed. */
export interface Trimmed {
  readonly pictures: number
  readonly pictureBytes: number
}

/** How pictures are trimmed. */
export interface Trimming {
  /** Bytes of a disk that are about to be taken. Default: 0. */
  readonly coming?: number
  /** Called before each picture; a throw ends it and is passed on. */
  readonly step?: () => void
}

/**
 * Counts what derived pictures take. Where that is, with what is coming, more than their room, those that nobody used for longest are removed, until
 * nine tenths are taken, or less where that does not fit.
 */
export async function trimPictures(
  call: Call,
  { coming = 0, step = () => undefined }: Trimming = {},
): Promise<Trimmed> {
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

type Listed = Omit<DerivedBlob, 'hash'>

/** What was used last in each minute takes so much. No list of pictures is in memory: there may be half a million. */
async function agesOf(call: Call, step: () => void): Promise<ReadonlyMap<number, number>> {
  const ages = new Map<number, number>()
  for await (const picture of call.environment.blobs.derived.list()) {
    step()
    const minute = minuteOf(usedDate(call, picture))
    ages.set(minute, (ages.get(minute) ?? 0) + roomOf(picture.size))
  }
  return ages
}

/** The storage is told once a day; what this process remembers is exact. */
function usedDate({ shared }: Call, picture: Listed): number {
  return Math.max(picture.usedDate, shared.derived.peek(pictureKey(picture))?.usedDate ?? 0)
}

function minuteOf(date: number): number {
  return Math.floor(date / 60_000)
}

/** The minute up to which pictures go so that `excess` bytes do. */
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
