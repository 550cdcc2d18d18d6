import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { findOnDisk, onDisk } from './disk-error.ts'
import { identityOf } from './known.ts'
import { blobFile } from './paths.ts'
import { piecesOf } from './chunks.ts'
import type { Location } from './location.ts'

/** The open file of a blob. The code that opened it must close it. */
export interface OpenedBlob {
  readonly hash: string
  readonly handle: FileHandle
  /**
   * Size of the blob in bytes: the whole file, or the part before the trailer of a derived file.
   */
  readonly size: number
  readonly identity: string
}

/** Opens a blob; null when absent. */
export async function openBlob({ paths }: Location, hash: string): Promise<OpenedBlob | null> {
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

/**
 * Whether the bytes of an open blob match its hash. Reads all of them, and passes each piece to
 * `take`.
 */
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

/** Verifies an opened blob by reading all of it, whatever is cached about it, and closes it. */
export async function verifyOpened(
  location: Location,
  opened: OpenedBlob | null,
): Promise<'sound' | 'missing' | 'corrupt'> {
  if (!opened) return 'missing'
  try {
    if (await isIntact(opened)) {
      location.known.remember(opened.identity)
      return 'sound'
    }
    location.known.forget(opened.identity)
    location.known.small.delete(opened.hash)
    return 'corrupt'
  } finally {
    await opened.handle.close()
  }
}
