import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { listObjects, putObject, removeObject } from './bucket.ts'
import { notesPrefix } from './keys.ts'
import type { Location } from './location.ts'

/**
 * Facts about a blob in addition to its bytes, stored as names of empty objects: a single listing
 * returns all of them. The timestamps of a store are too coarse, and renewing one would require
 * copying the blob.
 */
export interface Notes {
  /** `age-<unix ms>`: when the blob was put, oldest first. */
  readonly ages: readonly AgeNote[]
  /** `etag-<etag>`: an ETag that the store gave to the correct bytes. */
  readonly etags: readonly EtagNote[]
  /** `gone-<random>`: a process is about to remove the blob. */
  readonly removals: readonly string[]
}

/** When a blob was put. */
export interface AgeNote {
  readonly key: string
  /** Unix ms. */
  readonly time: number
}

/** An ETag that the store gave to the correct bytes of a blob. */
interface EtagNote {
  readonly key: string
  readonly etag: string
}

const agePattern = /^age-([0-9]{13,16})$/
/** Other ETags cannot be part of a name. None has been seen. */
const etagPattern = /^[\w-]{1,100}$/

const nothing = new Uint8Array(0)

/**
 * Notes that a blob was put now. A removal that checks the notes after this leaves the blob alone.
 */
export async function storeAge({ connection, keys }: Location, hash: string): Promise<AgeNote> {
  const time = Date.now()
  const key = `${notesPrefix(keys, hash)}age-${time}`
  await putObject(connection, key, nothing)
  return { key, time }
}

/** Notes the ETag that the store gave to the correct bytes of a blob. */
export async function storeEtag({ connection, keys }: Location, hash: string, etag: string): Promise<void> {
  if (etagPattern.test(etag)) await putObject(connection, `${notesPrefix(keys, hash)}etag-${etag}`, nothing)
}

/** Notes that a blob is about to be removed. Returns the key of the note. */
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

/** The time of an age note; null for other notes. */
export function ageOf(name: string): number | null {
  const [, time] = agePattern.exec(name) ?? []
  return time === undefined ? null : Number(time)
}

/**
 * Milliseconds within which a removal must start after its note was written. Otherwise it is given
 * up.
 */
export const removalBegins = 10_000

/**
 * Milliseconds after which the note of a removal counts as left behind by an ended process. This is
 * longer than a removal takes to start and its request to end. At half, a slow removal could delete
 * a blob that was put meanwhile.
 */
const removalEnds = 45_000

/** Milliseconds between checks whether a removal has ended. It takes one or two requests. */
const lookAgain = 50

/** The notes of a blob, once no removal is pending. */
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
