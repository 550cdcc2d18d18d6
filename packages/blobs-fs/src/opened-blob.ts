import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { findOnDisk, onDisk } from './disk-error.ts'
import { identityOf } from './known.ts'
import { blobFile } from './paths.ts'
import { piecesOf } from './pieces.ts'
import type { Place } from './place.ts'

/** The open file of a blob. Whoever opened it closes it. */
export interface OpenedBlob {
  readonly hash: string
  readonly handle: FileHandle
  /** Bytes of the file, which are the blob's when it is sound. */
  readonly size: number
  readonly identity: string
}

/** Opens a blob; null when absent. */
export async function openBlob({ paths }: Place, hash: string): Promise<OpenedBlob | null> {
  const handle = await findOnDisk(open(blobFile(paths, hash), 'r'))
  if (!handle) return null
  try {
    const stats = await onDisk(handle.stat({ bigint: true }))
    return { hash, handle, size: Number(stats.size), identity: identityOf(stats) }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Whether the bytes of an open blob are those of its name. All of them are read, and given to `take` as they come. */
export async function isIntact(
  { handle, size, hash }: OpenedBlob,
  take: (piece: Uint8Array) => void = () => {},
): Promise<boolean> {
  const digest = createHash('sha256')
  const next = piecesOf({ handle, start: 0, end: size })
  for (let piece = await next(); piece; piece = await next()) {
    digest.update(piece)
    take(piece)
  }
  return digest.digest('hex') === hash
}

/** Reads all of a blob, whatever is known of it. */
export async function verifyBlob(place: Place, hash: string): Promise<'sound' | 'missing' | 'corrupt'> {
  const opened = await openBlob(place, hash)
  if (!opened) return 'missing'
  try {
    if (await isIntact(opened)) {
      place.known.remember(opened.identity)
      return 'sound'
    }
    place.known.forget(opened.identity)
    place.known.small.delete(hash)
    return 'corrupt'
  } finally {
    await opened.handle.close()
  }
}
