import { constants } from 'node:fs'
import { access, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Blobs } from '@quire/core/ports'
import { deleteBlob } from './delete-blob.ts'
import { derivedBlobs } from './derived-blobs.ts'
import { findOnDisk, onDisk } from './disk-error.ts'
import { listBlobs } from './list-blobs.ts'
import { openBlob, verifyOpened } from './opened-blob.ts'
import { partialBlobs } from './partial-blobs.ts'
import { blobFile, folderMode } from './paths.ts'
import { type FileBlobsOptions, type Location, locationOf } from './location.ts'
import { putBlob } from './put-blob.ts'
import { readBlob } from './read-blob.ts'

/**
 * Opens binaries in a folder, one file each. Any number of processes may do so at the same time.
 * Removes what killed processes left behind. A blob that another process deletes may still be read
 * from memory here. Two things are coordinated within one process only. One is deleting and putting
 * the same blob at the same time. The other is an append that takes over an upload: `Append.slot`
 * is ignored, so all uploads into a folder must go through one process.
 * Errors: BlobsUnavailable when the folder cannot be created, read or written.
 */
export async function openFileBlobs(options: FileBlobsOptions): Promise<Blobs> {
  const location = locationOf(options)
  await makeFolders(location)
  await location.temps.sweep()
  const { paths } = location
  return {
    name: 'files',
    put: (bytes) => putBlob(location, bytes),
    async stat(hash) {
      const stats = await findOnDisk(stat(blobFile(paths, hash)))
      return stats && { hash, size: stats.size }
    },
    read: (hash, range) => readBlob(location, hash, range),
    verify: async (hash) => verifyOpened(location, await openBlob(location, hash)),
    delete: async (hash, writtenBefore = Number.POSITIVE_INFINITY) =>
      deleteBlob(location, hash, writtenBefore),
    list: () => listBlobs(paths),
    derived: derivedBlobs(location),
    partials: partialBlobs(location),
    ping: () => ping(location),
  }
}

async function makeFolders({ paths, durability }: Location): Promise<void> {
  const { root, blobs, derived, partial, temp } = paths
  const made = await onDisk(mkdir(root, { recursive: true, mode: folderMode }))
  if (made !== undefined) await durability.folderWithin(dirname(made), root)
  for (const folder of [blobs, derived, partial, temp]) {
    await onDisk(mkdir(folder, { recursive: true, mode: folderMode }))
  }
  await durability.folder(root)
}

async function ping({ paths, durability }: Location): Promise<void> {
  durability.requireSound()
  const { R_OK, W_OK, X_OK } = constants
  for (const folder of [paths.blobs, paths.partial, paths.temp]) {
    await onDisk(access(folder, R_OK | W_OK | X_OK))
  }
}
