import { BlobsUnavailable } from '@quire/core/ports'
import { headObject, removeObject } from './bucket.ts'
import { blobKey } from './keys.ts'
import { findNotes, storeRemoval, type Notes, removalBegins } from './notes.ts'
import type { Location } from './location.ts'

/** Implements `Blobs.delete`. */
export async function deleteBlob(location: Location, hash: string, writtenBefore?: number): Promise<void> {
  const key = blobKey(location.keys, hash)
  await location.naming.alone(hash, () =>
    writtenBefore === undefined
      ? removeWithNotes(location, key, hash)
      : removeOld(location, { key, hash, writtenBefore }),
  )
}

async function removeWithNotes(location: Location, key: string, hash: string): Promise<void> {
  const notes = await findNotes(location, hash)
  await removeObject(location.connection, key)
  await removeNotes(location, notes)
}

interface Removal {
  readonly key: string
  readonly hash: string
  readonly writtenBefore: number
}

/**
 * Writes a removal note first and checks the age after that. If the removal request itself fails,
 * the note remains: the store may still execute the request later, so a process that puts the same
 * bytes must wait until that is no longer possible.
 */
async function removeOld(location: Location, { key, hash, writtenBefore }: Removal): Promise<void> {
  const begun = performance.now()
  const removal = await storeRemoval(location, hash)
  const old = await findOld(location, { key, hash, writtenBefore }, begun).catch(async (error: unknown) => {
    await removeObject(location.connection, removal)
    throw error
  })
  if (old) {
    await removeObject(location.connection, key)
    await removeNotes(location, old)
  }
  await removeObject(location.connection, removal)
}

/**
 * The notes of a blob that is old enough to remove; null for a younger one. Errors:
 * BlobsUnavailable when finding out took too long.
 */
async function findOld(
  location: Location,
  { key, hash, writtenBefore }: Removal,
  begun: number,
): Promise<Notes | null> {
  const notes = await findNotes(location, hash)
  if (await isYoung(location, { key, notes, writtenBefore })) return null
  if (performance.now() - begun < removalBegins) return notes
  throw new BlobsUnavailable('failing', 'The bucket of binaries is too slow to remove a blob: try again.')
}

interface Aged {
  readonly key: string
  readonly notes: Notes
  readonly writtenBefore: number
}

async function isYoung({ connection }: Location, { key, notes, writtenBefore }: Aged): Promise<boolean> {
  if (notes.ages.length > 0) return notes.ages.some(({ time }) => time > writtenBefore)
  const stored = await headObject(connection, key)
  return stored !== null && stored.writtenDate > writtenBefore
}

/**
 * Removes the notes that existed before. A process that puts the blob meanwhile writes a new age,
 * and then sends the missing bytes.
 */
async function removeNotes({ connection }: Location, { ages, etags }: Notes): Promise<void> {
  await Promise.all([...ages, ...etags].map(({ key }) => removeObject(connection, key)))
}
