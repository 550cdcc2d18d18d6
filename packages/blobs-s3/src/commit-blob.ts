import type { StoredBlob } from '@quire/core/ports'
import { headObject, type ObjectState, removeObject } from './bucket.ts'
import { blobKey } from './keys.ts'
import { findOldNotes, storeAge, storeEtag, type Notes } from './notes.ts'
import type { Location } from './location.ts'

/** A blob whose hash is known and whose bytes may not be at their place yet. */
export interface Sending {
  readonly blob: StoredBlob
  /** The MD5 of its bytes, hexadecimal; null when it is not known. */
  readonly md5: string | null
  /** Writes the bytes under a name, all or nothing. What comes out is the ETag. */
  readonly send: (key: string) => Promise<string>
}

/**
 * Gives a blob its name, or the age of now when it is there. The age is noted first and the bytes are looked for after: a
 * removal in another process either sees the age, or is seen here and waited for, or has ended, and the bytes are sent again. Bytes
 * whose ETag nobody knows for the right one are replaced.
 * No condition on a put is used: Swift has none.
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
