import type { StoredBlob } from '@quire/core/ports'
import { headObject, type ObjectState, removeObject } from './bucket.ts'
import { blobKey } from './keys.ts'
import { findOldNotes, storeAge, storeEtag, type Notes } from './notes.ts'
import type { Location } from './location.ts'

/** A blob whose hash is known, but whose bytes may not be stored under it yet. */
export interface Sending {
  readonly blob: StoredBlob
  /** The MD5 of its bytes, hexadecimal; null when it is not known. */
  readonly md5: string | null
  /** Writes all bytes under a name, or none. Returns the ETag. */
  readonly send: (key: string) => Promise<string>
}

/**
 * Stores a blob under its name, or sets its age to now if it exists. The age note is written first,
 * and only then is the object looked up. So a removal in another process either sees the age; or
 * its note is seen here and waited for; or it has ended, and the bytes are sent again. An object
 * whose ETag is not known to be correct is replaced.
 * No conditional puts are used: Swift does not support them.
 */
export async function commitBlob(location: Location, sending: Sending): Promise<void> {
  const { hash } = sending.blob
  await location.naming.alone(hash, async () => {
    const age = await storeAge(location, hash)
    const notes = await findOldNotes(location, hash)
    const key = blobKey(location.keys, hash)
    if (!isSound(await headObject(location.connection, key), sending, notes)) {
      const etag = await sending.send(key)
      if (etag !== sending.md5) await storeEtag(location, hash, etag)
    }
    const older = notes.ages.filter(({ time }) => time < age.time)
    await Promise.all(older.map((note) => removeObject(location.connection, note.key)))
  })
}

function isSound(stored: ObjectState | null, { blob, md5 }: Sending, { etags }: Notes): boolean {
  if (stored?.size !== blob.size) return false
  return stored.etag === md5 || etags.some(({ etag }) => etag === stored.etag)
}
