import type { Hash } from 'node:crypto'
import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type Append,
  type AppendSlot,
  createAppendSlots,
  isPartialId,
  type PartialBlobs,
  requireCount,
} from '@quire/core/ports'
import { type Appended, writeAppend } from './append.ts'
import { findOnDisk, onDisk } from './disk-error.ts'
import { finishPartial } from './finish-partial.ts'
import { type PartialBlob, openForAppend, stateOf } from './partial-file.ts'
import { fileMode, partialFile, type Paths } from './paths.ts'
import type { Location } from './location.ts'
import { createRunningHashes } from './running-hashes.ts'

/** Uploads in progress: one file each, named by its id. */
export function partialBlobs(location: Location): PartialBlobs {
  const hashes = createRunningHashes()
  const slots = createAppendSlots()
  return {
    begin: (id, size) => begin(location, id, size),
    async append(id, append) {
      requireCount(append.offset)
      location.durability.requireSound()
      const slot = append.takesOver ? await slots.takeOver(id) : slots.enter(id)
      try {
        return await appendTo({ location, hashes, id }, append, slot)
      } finally {
        slot.leave()
      }
    },
    finish: (id, size) => finishPartial({ location, hashes, id }, size),
    async discard(id) {
      await onDisk(rm(partialFile(location.paths, id), { force: true }))
      hashes.forget(id)
    },
    list: () => list(location.paths),
  }
}

async function begin({ paths, durability, room }: Location, id: string, size: number): Promise<void> {
  const file = partialFile(paths, id)
  requireCount(size)
  durability.requireSound()
  await room.require(size)
  // Never truncated in place: a blob may share its bytes.
  await onDisk(rm(file, { force: true }))
  const handle = await onDisk(open(file, 'wx', fileMode))
  await handle.close()
  await durability.folder(paths.partial)
}

async function appendTo(partial: PartialBlob, append: Append, slot: AppendSlot): Promise<number> {
  const handle = await openForAppend(partial, slot)
  try {
    return await appendIn({ partial, handle, slot }, append)
  } finally {
    await handle.close()
  }
}

interface Target {
  readonly partial: PartialBlob
  readonly handle: FileHandle
  readonly slot: AppendSlot
}

async function appendIn(target: Target, append: Append): Promise<number> {
  const { partial, handle, slot } = target
  const before = await slot.step(() => stateOf(handle, append.offset))
  const known = partial.hashes.resume(partial.id, before)
  if (before.size > append.offset) await slot.step(() => onDisk(handle.truncate(append.offset)))
  const { end, failure } = await appendHashed(target, append, known)
  if (failure) throw failure.error
  return end
}

/**
 * Appends and updates the running hash. If the append fails, the bytes before its offset and their
 * hash remain as they were.
 */
async function appendHashed(target: Target, append: Append, known: Hash | null): Promise<Appended> {
  const running = known?.copy() ?? null
  const { handle, partial, slot } = target
  try {
    const appended = await writeAppend({ handle, location: partial.location, slot, running }, append)
    await storeHash(target, running, appended.end)
    return appended
  } catch (error) {
    // If the hash cannot be stored, the file is only read again at the end. The caller needs the
    // first error.
    await storeHash(target, known, append.offset).catch(() => partial.hashes.forget(partial.id))
    throw error
  }
}

/** Stores the running hash. An append that another took over must not change it any more. */
async function storeHash({ partial, handle, slot }: Target, digest: Hash | null, end: number): Promise<void> {
  const { hashes, id } = partial
  if (slot.isOver()) return
  if (digest && slot.isAlone()) hashes.retain(id, digest, await slot.step(() => stateOf(handle, end)))
  else hashes.forget(id)
}

async function* list({ partial }: Paths): ReturnType<PartialBlobs['list']> {
  for await (const { name: id } of await onDisk(opendir(partial))) {
    if (!isPartialId(id)) continue
    const stats = await findOnDisk(stat(join(partial, id)))
    if (stats) yield { id, size: stats.size, writtenDate: Math.floor(stats.mtimeMs) }
  }
}
