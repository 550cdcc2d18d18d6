import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import type { Bytes, StoredBlob } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'
import { fileMode } from './paths.ts'
import { inPieces, writePiece } from './pieces.ts'
import type { Place } from './place.ts'
import { settle } from './settle.ts'

/** Keeps bytes, as `Blobs.put` says: in a temporary file first, whose name they get once they are all there. */
export async function putBlob(place: Place, bytes: Bytes): Promise<StoredBlob> {
  place.durability.requireSound()
  await place.room.require(0)
  const temp = place.temps.next()
  const handle = await onDisk(open(temp, 'wx', fileMode))
  try {
    const blob = await writeAll(place, handle, bytes)
    await settle(place, { blob, temp, handle })
    return blob
  } catch (error) {
    await place.temps.drop(temp)
    throw error
  } finally {
    await handle.close()
  }
}

async function writeAll({ room }: Place, handle: FileHandle, bytes: Bytes): Promise<StoredBlob> {
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
