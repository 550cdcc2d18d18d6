import { BlobsUnavailable } from '@quire/core/ports'
import { headObject, removeObject } from './bucket.ts'
import { blobKey } from './keys.ts'
import { findNotes, keepRemoval, type Notes, removalBegins } from './notes.ts'
import type { Place } from './place.ts'

/** Removes a blob, as `Blobs.delete` says. */
export async function deleteBlob(place: Place, hash: string, writtenBefore?: number): Promise<void> {
  const key = blobKey(place.keys, hash)
  await place.naming.alone(hash, () =>
    writtenBefore === undefined
      ? removeWithNotes(place, key, hash)
      : removeOld(place, { key, hash, writtenBefore }),
  )
}

async function removeWithNotes(place: Place, key: string, hash: string): Promise<void> {
  const notes = await findNotes(place, hash)
  await removeObject(place.connection, key)
  await removeNotes(place, notes)
}

interface Removal {
  readonly key: string
  readonly hash: string
  readonly writtenBefore: number
}

/**
 * Says first that it is about to remove, and looks at the age after. When the removal itself fails its note stays: the request may be
 * done late, and whoever puts the same bytes waits until it no longer can be.
 */
async function removeOld(place: Place, { key, hash, writtenBefore }: Removal): Promise<void> {
  const begun = performance.now()
  const removal = await keepRemoval(place, hash)
  const old = await findOld(place, { key, hash, writtenBefore }, begun).catch(async (error: unknown) => {
    await removeObject(place.connection, removal)
    throw error
  })
  if (old) {
    await removeObject(place.connection, key)
    await removeNotes(place, old)
  }
  await removeObject(place.connection, removal)
}

/** The notes of a blob that may be removed; null of a young one. Errors: BlobsUnavailable when it took too long to know. */
async function findOld(
  place: Place,
  { key, hash, writtenBefore }: Removal,
  begun: number,
): Promise<Notes | null> {
  const notes = await findNotes(place, hash)
  if (await isYoung(place, { key, notes, writtenBefore })) return null
  if (performance.now() - begun < removalBegins) return notes
  throw new BlobsUnavailable('failing', 'The bucket of binaries is too slow to remove a blob: try again.')
}

interface Aged {
  readonly key: string
  readonly notes: Notes
  readonly writtenBefore: number
}

async function isYoung({ connection }: Place, { key, notes, writtenBefore }: Aged): Promise<boolean> {
  if (notes.ages.length > 0) return notes.ages.some(({ time }) => time > writtenBefore)
  const kept = await headObject(connection, key)
  return kept !== null && kept.writtenDate > writtenBefore
}

/** Those that were there before: who puts the blob meanwhile notes a new age, and then sends what is not there. */
async function removeNotes({ connection }: Place, { ages, etags }: Notes): Promise<void> {
  await Promise.all([...ages, ...etags].map(({ key }) => removeObject(connection, key)))
}
