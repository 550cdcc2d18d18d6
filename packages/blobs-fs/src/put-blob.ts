import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Bytes, StoredBlob } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'
import { fileMode } from './paths.ts'
import { inPieces, writePiece } from './chunks.ts'
import type { Location } from './location.ts'
import { commitBlob } from './commit-blob.ts'

/**
 * Implements `Blobs.put`: writes the bytes to a temporary file, which gets its name once it is
 * complete.
 */
export async function putBlob(location: Location, bytes: Bytes): Promise<StoredBlob> {
  location.durability.requireSound()
  await location.room.require(0)
  const temp = location.temps.next()
  const handle = await onDisk(open(temp, 'wx', fileMode))
  try {
    const blob = await writeAll(location, handle, bytes)
    await commitBlob(location, { blob, temp, handle })
    return blob
  } catch (error) {
    await location.temps.drop(temp)
    throw error
  } finally {
    await handle.close()
  }
}

async function writeAll({ room }: Location, handle: FileHandle, bytes: Bytes): Promise<StoredBlob> {
  const digest = createHash('sha256')
  let size = 0
  for await (const piece of inPieces(bytes)) {
    await room.require(piece.length)
    digest.update(piece)
    await writePiece(handle, piece, size)
    size += piece.length
  }
  return { hash: digest.digest('hex'), size }
}
