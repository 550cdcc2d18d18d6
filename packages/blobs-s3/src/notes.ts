import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { listObjects, putObject, removeObject } from './bucket.ts'
import { notesPrefix } from './keys.ts'
import type { Location } from './location.ts'

/**
 * What is known of a blob beside its bytes, as names of empty objects: a listing tells all of it. Times of a store are too coarse, and
 * to renew one would be to copy the blob.
 */
export interface Notes {
  /** `age-<unix ms>`: when it was put, oldest first. */
  readonly ages: readonly AgeNote[]
  /** `etag-<etag>`: what the store calls the right bytes. */
  readonly etags: readonly EtagNote[]
  /** `gone-<random>`: somebody is about to remove it. */
  readonly removals: readonly string[]
}

/** When a blob was put. */
export interface AgeNote {
  readonly key: string
  /** Unix ms. */
  readonly time: number
}

/** What the store calls the right bytes of a blob. */
interface EtagNote {
  readonly key: string
  readonly etag: string
}

const agePattern = /^age-([0-9]{13,16})$/
/** Other ETags cannot be part of a name. None was seen. */
const etagPattern = /^[\w-]{1,100}$/

const nothing = new Uint8Array(0)

/** Notes that a blob was put now. Whoever is to remove it and looks from now on leaves it. */
export async function storeAge({ connection, keys }: Location, hash: string): Promise<AgeNote> {
  const time = Date.now()
  const key = `${notesPrefix(keys, hash)}age-${time}`
  await putObject(connection, key, nothing)
  return { key, time }
}

/** Notes what the store calls the right bytes of a blob. */
export async function storeEtag({ connection, keys }: Location, hash: string, etag: string): Promise<void> {
  if (etagPattern.test(etag)) await putObject(connection, `${notesPrefix(keys, hash)}etag-${etag}`, nothing)
}

/** Notes that a blob is about to be removed. What comes out is the name of the note. */
export async function storeRemoval({ connection, keys }: Location, hash: string): Promise<string> {
  const key = `${notesPrefix(keys, hash)}gone-${randomUUID()}`
  await putObject(connection, key, nothing)
  return key
}

/** All notes of a blob. */
export async function findNotes({ connection, keys }: Location, hash: string): Promise<Notes> {
  const prefix = notesPrefix(keys, hash)
  const ages: AgeNote[] = []
  const etags: EtagNote[] = []
  const removals: string[] = []
  for await (const { key } of listObjects(connection, prefix)) {
    const name = key.slice(prefix.length)
    const time = ageOf(name)
    if (time !== null) ages.push({ key, time })
    if (name.startsWith('etag-')) etags.push({ key, etag: name.slice('etag-'.length) })
    if (name.startsWith('gone-')) removals.push(key)
  }
  return { ages, etags, removals }
}

/** The time of a note of age; null for other notes. */
export function ageOf(name: string): number | null {
  const [, time] = agePattern.exec(name) ?? []
  return time === undefined ? null : Number(time)
}

/** Ms within which whoever noted a removal begins it, or leaves the blob. */
export const removalBegins = 10_000

/**
 * Ms after which a note of a removal is taken to be left behind by a process that ended: longer than a removal takes to begin and
 * its request to end. At half, a slow removal could take a blob that was put meanwhile.
 */
const removalEnds = 45_000

/** Ms between two looks at whether a removal ended. It takes one or two requests. */
const lookAgain = 50

/** The notes of a blob once nobody is about to remove it. */
export async function findOldNotes(location: Location, hash: string): Promise<Notes> {
  const seen = new Map<string, number>()
  for (;;) {
    const notes = await findNotes(location, hash)
    if (notes.removals.length === 0) return notes
    for (const key of notes.removals) {
      const since = seen.get(key) ?? performance.now()
      seen.set(key, since)
      if (performance.now() - since > removalEnds) await removeObject(location.connection, key)
    }
    await sleep(lookAgain)
  }
}
