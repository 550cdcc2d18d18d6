import { type FileHandle, mkdir, rename, utimes } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BlobsUnavailable, type StoredBlob } from '@quire/core/ports'
import { findOnDisk, onDisk } from './disk-error.ts'
import { isIntact, type OpenedBlob, openBlob } from './opened-blob.ts'
import { blobFile, folderMode } from './paths.ts'
import type { Location } from './location.ts'

/** A blob whose bytes are in a temporary file, and the open file that makes them durable. */
export interface Staged {
  readonly blob: StoredBlob
  readonly temp: string
  readonly handle: FileHandle
}

/**
 * Gives a blob its name. First the bytes become durable, then the name, then the folders that
 * contain it. If a sound blob with that name exists, it only gets a new age. Its folders become
 * durable all the same, because the process that put it may not have come that far.
 */
export async function commitBlob(location: Location, staged: Staged): Promise<void> {
  await location.naming.alone(staged.blob.hash, () => nameBlob(location, staged))
  // Renaming a file to another of its own names does nothing and leaves both (rename(2)).
  await location.temps.drop(staged.temp)
}

async function nameBlob(location: Location, { blob, temp, handle }: Staged): Promise<void> {
  const file = blobFile(location.paths, blob.hash)
  const folder = dirname(file)
  await onDisk(mkdir(folder, { recursive: true, mode: folderMode }))
  if (!(await isRenewed(location, blob))) {
    await location.durability.file(handle)
    await onDisk(rename(temp, file))
  }
  await location.durability.folderWithin(location.paths.blobs, folder)
}

/**
 * Whether the blob exists, is sound, and now has the age of a new one. If not, the staged bytes
 * replace it.
 */
async function isRenewed(location: Location, { hash, size }: StoredBlob): Promise<boolean> {
  const opened = await openBlob(location, hash)
  if (!opened) return false
  try {
    return opened.size === size && (await isSound(location, opened)) && (await isTouched(location, hash))
  } finally {
    await opened.handle.close()
  }
}

/** Whether the whole file can be read and matches its hash. */
async function isSound({ known }: Location, opened: OpenedBlob): Promise<boolean> {
  try {
    return await known.check(opened.identity, () => isIntact(opened))
  } catch (error) {
    // A bad sector: the staged bytes replace the file.
    if (error instanceof BlobsUnavailable) return false
    throw error
  }
}

/** Sets the age of a blob to now. False when it was deleted meanwhile. */
async function isTouched({ paths }: Location, hash: string): Promise<boolean> {
  const now = new Date()
  const touched = findOnDisk(utimes(blobFile(paths, hash), now, now).then(() => true))
  return (await touched) ?? false
}
