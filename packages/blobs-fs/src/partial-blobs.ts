import type { Hash } from 'node:crypto'
import { type FileHandle, open, opendir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Append, PartialBlobs } from '@quire/core/ports'
import { type Appended, writeAppend } from './append.ts'
import { findOnDisk, onDisk } from './disk-error.ts'
import { finishPartial } from './finish-partial.ts'
import { type PartialBlob, openForAppend, requireCount, stateOf } from './partial-file.ts'
import { fileMode, isPartialId, partialFile, type Paths } from './paths.ts'
import type { Place } from './place.ts'
import { createRunningHashes } from './running-hashes.ts'

/** Blobs that are still coming: one file each, named by its id. */
export function partialBlobs(place: Place): PartialBlobs {
  const hashes = createRunningHashes()
  return {
    begin: (id, size) => begin(place, id, size),
    append: (id, append) => appendTo({ place, hashes, id }, append),
    finish: (id, size) => finishPartial({ place, hashes, id }, size),
    async discard(id) {
      await onDisk(rm(partialFile(place.paths, id), { force: true }))
      hashes.forget(id)
    },
    list: () => list(place.paths),
  }
}

async function begin({ paths, durability, room }: Place, id: string, size: number): Promise<void> {
  const file = partialFile(paths, id)
  requireCount(size)
  durability.requireSound()
  await room.require(size)
  // Never emptied in place: a blob may share its bytes.
  await onDisk(rm(file, { force: true }))
  const handle = await onDisk(open(file, 'wx', fileMode))
  await handle.close()
  await durability.folder(paths.partial)
}

async function appendTo(partial: PartialBlob, append: Append): Promise<number> {
  const { durability } = partial.place
  requireCount(append.offset)
  durability.requireSound()
  const handle = await openForAppend(partial, append)
  const turn = partial.hashes.enter(partial.id)
  try {
    return await appendIn({ partial, handle, isAlone: turn.isAlone }, append)
  } finally {
    turn.leave()
    await handle.close()
  }
}

/** A partial blob that is open for an append. */
interface Turn {
  readonly partial: PartialBlob
  readonly handle: FileHandle
  readonly isAlone: () => boolean
}

async function appendIn(turn: Turn, append: Append): Promise<number> {
  const { partial, handle } = turn
  const before = await stateOf(handle, append.offset)
  const known = partial.hashes.resume(partial.id, before)
  if (before.size > append.offset) await onDisk(handle.truncate(append.offset))
  const { end, failure } = await appendHashed(turn, append, known)
  if (failure) throw failure.error
  return end
}

/** Whatever happens to an append, the bytes before its offset and their hash stay what they were. */
async function appendHashed(turn: Turn, append: Append, known: Hash | null): Promise<Appended> {
  const running = known?.copy() ?? null
  const { handle, partial } = turn
  try {
    const { durability } = partial.place
    const appended = await writeAppend({ handle, durability, running }, append)
    await keepHash(turn, running, appended.end)
    return appended
  } catch (error) {
    // A hash that cannot be kept costs a second read at the end, and is not what the caller has to know.
    await keepHash(turn, known, append.offset).catch(() => partial.hashes.forget(partial.id))
    throw error
  }
}

async function keepHash({ partial, handle, isAlone }: Turn, digest: Hash | null, end: number): Promise<void> {
  const { hashes, id } = partial
  if (digest && isAlone()) hashes.keep(id, digest, await stateOf(handle, end))
  else hashes.forget(id)
}

async function* list({ partial }: Paths): ReturnType<PartialBlobs['list']> {
  for await (const { name: id } of await onDisk(opendir(partial))) {
    if (!isPartialId(id)) continue
    const stats = await findOnDisk(stat(join(partial, id)))
    if (stats) yield { id, size: stats.size, writtenDate: Math.floor(stats.mtimeMs) }
  }
}
