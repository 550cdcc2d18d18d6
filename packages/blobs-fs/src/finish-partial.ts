import { createHash } from 'node:crypto'
import { type FileHandle, link, utimes } from 'node:fs/promises'
import { requireCount, type StoredBlob } from '@quire/core/ports'
import { onDisk, systemCode, translate } from './disk-error.ts'
import { openPartial, type PartialBlob, stateOf } from './partial-file.ts'
import { partialFile } from './paths.ts'
import { bytesOf, piecesOf } from './chunks.ts'
import { putBlob } from './put-blob.ts'
import type { FileState } from './running-hashes.ts'
import { commitBlob } from './commit-blob.ts'

/**
 * Implements `PartialBlobs.finish`. The blob becomes a second name (hard link) of the same file, so
 * that nothing is copied and the partial blob remains.
 */
export async function finishPartial(partial: PartialBlob, size: number): Promise<StoredBlob> {
  requireCount(size)
  partial.location.durability.requireSound()
  const handle = await openPartial(partial)
  try {
    const state = await stateOf(handle, size)
    const linked = state.size === size ? await finishLinked(partial, handle, state) : null
    return linked ?? (await putBlob(partial.location, bytesOf(piecesOf({ handle, start: 0, end: size }))))
  } finally {
    await handle.close()
  }
}

/** Null when the file system does not support hard links. */
async function finishLinked(
  { location, hashes, id }: PartialBlob,
  handle: FileHandle,
  state: FileState,
): Promise<StoredBlob | null> {
  const temp = location.temps.next()
  if (!(await isLinked(partialFile(location.paths, id), temp))) return null
  try {
    const hash = hashes.find(id, state) ?? (await hashOf(handle, state.end))
    const blob = { hash, size: state.end }
    await commitBlob(location, { blob, temp, handle })
    return blob
  } catch (error) {
    await location.temps.drop(temp)
    throw error
  }
}

/** Error codes of a file system without hard links, or with too many of one file. */
const linkless: ReadonlySet<string> = new Set(['EPERM', 'EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Gives a file a second name and sets its age to now. False when the file system cannot do it. */
async function isLinked(file: string, temp: string): Promise<boolean> {
  try {
    await link(file, temp)
  } catch (error) {
    if (linkless.has(systemCode(error) ?? '')) return false
    throw translate(error)
  }
  const now = new Date()
  await onDisk(utimes(temp, now, now))
  return true
}

async function hashOf(handle: FileHandle, end: number): Promise<string> {
  const digest = createHash('sha256')
  for await (const piece of bytesOf(piecesOf({ handle, start: 0, end }))) digest.update(piece)
  return digest.digest('hex')
}
