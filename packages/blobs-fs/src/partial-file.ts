import { type BigIntStats, constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename, stat } from 'node:fs/promises'
import { type AppendSlot, BlobAbsent, StoreConflict } from '@quire/core/ports'
import { findOnDisk, onDisk } from './disk-error.ts'
import { identityOf } from './known.ts'
import { partialFile } from './paths.ts'
import type { Location } from './location.ts'
import type { FileState, RunningHashes } from './running-hashes.ts'

/** A partial blob, and the hashes of all of them. */
export interface PartialBlob {
  readonly location: Location
  readonly hashes: RunningHashes
  readonly id: string
}

/** Opens the file of a partial blob. Errors: BlobAbsent. */
export async function openPartial({ location, id }: PartialBlob): Promise<FileHandle> {
  const handle = await findOnDisk(open(partialFile(location.paths, id), 'r+'))
  if (!handle) throw new BlobAbsent(`There is no upload ${id}: begin it again.`)
  return handle
}

/**
 * Opens a partial blob for an append. A finished one shares its bytes with a blob, which must never
 * change, so it is copied first.
 * Errors: BlobAbsent; StoreConflict when another append took over; BlobsUnavailable `full` without
 * space for the copy.
 */
export async function openForAppend(partial: PartialBlob, slot: AppendSlot): Promise<FileHandle> {
  const handle = await openPartial(partial)
  try {
    const { nlink } = await onDisk(handle.stat())
    if (nlink === 1) return handle
    const copy = await openCopy(partial, slot, handle)
    await handle.close()
    return copy
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function openCopy(
  { location, id }: PartialBlob,
  slot: AppendSlot,
  from: FileHandle,
): Promise<FileHandle> {
  const file = partialFile(location.paths, id)
  const before = await onDisk(from.stat({ bigint: true }))
  await location.room.require(Number(before.size))
  const temp = location.temps.next()
  let copy: FileHandle | null = null
  try {
    await onDisk(copyFile(file, temp, constants.COPYFILE_FICLONE))
    copy = await onDisk(open(temp, 'r+'))
    await location.durability.file(copy)
    await slot.step(async () => {
      await requireSame(file, before, id)
      await onDisk(rename(temp, file))
    })
    await location.durability.folder(location.paths.partial)
    return copy
  } catch (error) {
    await copy?.close()
    await location.temps.drop(temp)
    throw error
  }
}

/**
 * Errors: StoreConflict when the file was replaced or written to while it was copied: the copy then
 * lacks bytes that count.
 */
async function requireSame(file: string, before: BigIntStats, id: string): Promise<void> {
  const now = await findOnDisk(stat(file, { bigint: true }))
  const isSame = now?.dev === before.dev && now.ino === before.ino && now.size === before.size
  if (!isSame) throw new StoreConflict('stale', id)
}

/**
 * The current state of the file, of which the bytes before `end` count. Errors: BlobAbsent when it
 * is shorter.
 */
export async function stateOf(
  handle: FileHandle,
  end: number,
): Promise<FileState & { readonly size: number }> {
  const stats = await onDisk(handle.stat({ bigint: true }))
  const size = Number(stats.size)
  if (size < end)
    throw new BlobAbsent(
      `The upload has ${size} bytes, not ${end}: continue from the last acknowledged byte.`,
    )
  return { end, size, identity: identityOf(stats) }
}
