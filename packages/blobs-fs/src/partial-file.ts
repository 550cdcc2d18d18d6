import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename } from 'node:fs/promises'
import { type Append, BlobAbsent } from '@quire/core/ports'
import { findOnDisk, onDisk } from './disk-error.ts'
import { identityOf } from './known.ts'
import { partialFile } from './paths.ts'
import type { Place } from './place.ts'
import type { FileState, RunningHashes } from './running-hashes.ts'

/** One partial blob, and what is known of all. */
export interface PartialBlob {
  readonly place: Place
  readonly hashes: RunningHashes
  readonly id: string
}

/** Opens the file of a partial blob. Errors: BlobAbsent. */
export async function openPartial({ place, id }: PartialBlob): Promise<FileHandle> {
  const handle = await findOnDisk(open(partialFile(place.paths, id), 'r+'))
  if (!handle) throw new BlobAbsent(`There is no upload ${id}: begin it again.`)
  return handle
}

/**
 * Opens a partial blob for an append. One that was finished shares its bytes with the blob, which never changes, and one that is taken over
 * may still be written to through another handle, also once it is a blob: either gets a copy of its own first.
 */
export async function openForAppend(
  partial: PartialBlob,
  { takesOver = false }: Append,
): Promise<FileHandle> {
  const handle = await openPartial(partial)
  const { nlink } = await onDisk(handle.stat())
  if (nlink === 1 && !takesOver) return handle
  await handle.close()
  return openCopy(partial)
}

async function openCopy({ place, id }: PartialBlob): Promise<FileHandle> {
  const file = partialFile(place.paths, id)
  const temp = place.temps.next()
  try {
    await onDisk(copyFile(file, temp, constants.COPYFILE_FICLONE))
    const handle = await onDisk(open(temp, 'r+'))
    await place.durability.file(handle)
    await onDisk(rename(temp, file))
    await place.durability.folder(place.paths.partial)
    return handle
  } catch (error) {
    await place.temps.drop(temp)
    throw error
  }
}

/** The file as it is now, taken to count up to `end`. Errors: BlobAbsent when it is shorter. */
export async function stateOf(
  handle: FileHandle,
  end: number,
): Promise<FileState & { readonly size: number }> {
  const stats = await onDisk(handle.stat({ bigint: true }))
  const size = Number(stats.size)
  if (size < end)
    throw new BlobAbsent(`The upload has ${size} bytes, not ${end}: go on from where it was acknowledged.`)
  return { end, size, identity: identityOf(stats) }
}

/** Errors: TypeError for what is no number of bytes. */
export function requireCount(bytes: number): void {
  if (!Number.isSafeInteger(bytes) || bytes < 0) throw new TypeError(`${bytes} is no number of bytes.`)
}
