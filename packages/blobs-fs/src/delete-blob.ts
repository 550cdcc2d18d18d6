import { rm, stat } from 'node:fs/promises'
import { findOnDisk, onDisk } from './disk-error.ts'
import { blobFile } from './paths.ts'
import type { Location } from './location.ts'

/**
 * Implements `Blobs.delete`. The lock keeps it from running between the two steps of a put of the
 * same bytes, and the other way round: either the put does not find the blob and writes its own, or
 * its new age is seen here.
 */
export async function deleteBlob(location: Location, hash: string, writtenBefore: number): Promise<void> {
  const file = blobFile(location.paths, hash)
  await location.naming.alone(hash, async () => {
    const found = await findOnDisk(stat(file))
    if (!found || found.mtimeMs > writtenBefore) return
    await onDisk(rm(file, { force: true }))
    location.known.small.delete(hash)
  })
}
