import { createHash } from 'node:crypto'
import { requireCount, type StoredBlob, verifiedWhole } from '@quire/core/ports'
import { type Piece, piecesBefore, requireManifest } from './manifest.ts'
import { joined } from './pieces.ts'
import { putParts } from './multipart.ts'
import { keepBytes } from './put-blob.ts'
import type { RunningHashes } from './running-hashes.ts'
import { settle } from './settle-blob.ts'
import { type Partial, partsOf, readPiece } from './stored-pieces.ts'

/** Makes a blob of the first bytes, as `PartialBlobs.finish` says: its pieces become parts of it, copied by the store. */
export async function finishPartial(
  partial: Partial,
  hashes: RunningHashes,
  size: number,
): Promise<StoredBlob> {
  requireCount(size)
  const { place, id } = partial
  const manifest = await requireManifest(place, id, size)
  const pieces = piecesBefore(manifest.pieces, size)
  if (size <= verifiedWhole) return keepBytes(place, await joined(bytesOf(partial, pieces)))
  const hash = hashes.find(id, manifest, size) ?? (await hashOf(partial, pieces))
  const blob = { hash, size }
  const send = (key: string) => putParts(place.connection, key, partsOf(partial, pieces))
  await settle(place, { blob, md5: null, send })
  return blob
}

async function* bytesOf(partial: Partial, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await readPiece(partial, piece)
}

async function hashOf(partial: Partial, pieces: readonly Piece[]): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of bytesOf(partial, pieces)) digest.update(bytes)
  return digest.digest('hex')
}
