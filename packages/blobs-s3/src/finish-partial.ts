import { createHash } from 'node:crypto'
import { requireCount, type StoredBlob, verifiedWhole } from '@quire/core/ports'
import { type BlobPart, piecesBefore, requireManifest, type Epoch } from './manifest.ts'
import { joined } from './parts.ts'
import { putParts } from './multipart.ts'
import { storeBytes } from './put-blob.ts'
import type { RunningHashes } from './running-hashes.ts'
import { commitBlob } from './commit-blob.ts'
import { folderOf, partsOf, type PartFolder, readPiece } from './stored-parts.ts'

/**
 * Implements `PartialBlobs.finish`: the pieces become parts of the blob, which the store copies
 * itself.
 */
export async function finishPartial(
  partial: Epoch,
  hashes: RunningHashes,
  size: number,
): Promise<StoredBlob> {
  requireCount(size)
  const { location, id } = partial
  const manifest = await requireManifest(partial, size)
  const pieces = piecesBefore(manifest.pieces, size)
  const folder = folderOf(location, id)
  if (size <= verifiedWhole) return storeBytes(location, await joined(bytesOf(folder, pieces)))
  const hash = hashes.find(id, manifest, size) ?? (await hashOf(folder, pieces))
  const blob = { hash, size }
  const send = (key: string) => putParts(location.connection, key, partsOf(folder, pieces))
  await commitBlob(location, { blob, md5: null, send })
  return blob
}

async function* bytesOf(folder: PartFolder, pieces: readonly BlobPart[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await readPiece(folder, piece)
}

async function hashOf(folder: PartFolder, pieces: readonly BlobPart[]): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of bytesOf(folder, pieces)) digest.update(bytes)
  return digest.digest('hex')
}
