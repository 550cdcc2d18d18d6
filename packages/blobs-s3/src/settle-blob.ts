import type { StoredBlob } from '@quire/core/ports'
import { headObject, type ObjectState, removeObject } from './bucket.ts'
import { blobKey } from './keys.ts'
import { findSettledNotes, keepAge, keepEtag, type Notes } from './notes.ts'
import type { Place } from './place.ts'

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
export async function settle(place: Place, sending: Sending): Promise<void> {
  const { hash } = sending.blob
  await place.naming.alone(hash, async () => {
    const age = await keepAge(place, hash)
    const notes = await findSettledNotes(place, hash)
    const key = blobKey(place.keys, hash)
    if (!isSound(await headObject(place.connection, key), sending, notes)) {
      const etag = await sending.send(key)
      if (etag !== sending.md5) await keepEtag(place, hash, etag)
    }
    const older = notes.ages.filter(({ time }) => time < age.time)
    await Promise.all(older.map((note) => removeObject(place.connection, note.key)))
  })
}

function isSound(kept: ObjectState | null, { blob, md5 }: Sending, { etags }: Notes): boolean {
  if (kept?.size !== blob.size) return false
  return kept.etag === md5 || etags.some(({ etag }) => etag === kept.etag)
}
