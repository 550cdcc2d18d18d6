import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isHash, type BlobListing } from '@quire/core/ports'
import { findOnDisk, onDisk } from './disk-error.ts'
import { type Paths } from './paths.ts'

/**
 * Lists all blobs in the order of their hashes. Holds the names of one folder at a time in memory:
 * one 65 536th of all.
 */
export async function* listBlobs({ blobs }: Paths): AsyncGenerator<BlobListing> {
  for (const first of await sortedFolders(blobs)) {
    for (const second of await sortedFolders(join(blobs, first))) {
      yield* blobsIn(join(blobs, first, second), first + second)
    }
  }
}

/** Folders named with two hexadecimal digits, in order. */
export async function sortedFolders(folder: string): Promise<readonly string[]> {
  const entries = (await findOnDisk(readdir(folder, { withFileTypes: true }))) ?? []
  const found = entries.filter((entry) => entry.isDirectory() && /^[0-9a-f]{2}$/.test(entry.name))
  return found.map(({ name }) => name).sort()
}

async function* blobsIn(folder: string, prefix: string): AsyncGenerator<BlobListing> {
  const names = await onDisk(readdir(folder))
  const hashes = names.filter((name) => isHash(name) && name.startsWith(prefix)).sort()
  const blobs = await Promise.all(hashes.map((hash) => storedBlob(folder, hash)))
  yield* blobs.filter((blob) => blob !== null)
}

async function storedBlob(folder: string, hash: string): Promise<BlobListing | null> {
  const stats = await findOnDisk(stat(join(folder, hash)))
  return stats && { hash, size: stats.size, writtenDate: Math.floor(stats.mtimeMs) }
}
