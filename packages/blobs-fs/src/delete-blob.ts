import { rm, stat } from 'node:fs/promises'
import { findOnDisk, onDisk } from './disk-error.ts'
import { blobFile } from './paths.ts'
import type { Location } from './location.ts'

/**
 * Removes a blob, as `Blobs.delete` says. Never between the two steps of a put of the same bytes, nor the other way round: either
 * the put finds nothing and names its own, or its age is seen here.
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
