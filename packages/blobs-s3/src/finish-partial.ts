import { createHash } from 'node:crypto'
import { requireCount, type StoredBlob, verifiedWhole } from '@quire/core/ports'
import { type Piece, piecesBefore, requireManifest, type Turn } from './manifest.ts'
import { joined } from './pieces.ts'
import { putParts } from './multipart.ts'
import { keepBytes } from './put-blob.ts'
import type { RunningHashes } from './running-hashes.ts'
import { settle } from './settle-blob.ts'
import { folderOf, partsOf, type PieceFolder, readPiece } from './stored-pieces.ts'

/** Makes a blob of the first bytes, as `PartialBlobs.finish` says: its pieces become parts of it, copied by the store. */
export async function finishPartial(partial: Turn, hashes: RunningHashes, size: number): Promise<StoredBlob> {
  requireCount(size)
  const { place, id } = partial
  const manifest = await requireManifest(partial, size)
  const pieces = piecesBefore(manifest.pieces, size)
  const folder = folderOf(place, id)
  if (size <= verifiedWhole) return keepBytes(place, await joined(bytesOf(folder, pieces)))
  const hash = hashes.find(id, manifest, size) ?? (await hashOf(folder, pieces))
  const blob = { hash, size }
  const send = (key: string) => putParts(place.connection, key, partsOf(folder, pieces))
  await settle(place, { blob, md5: null, send })
  return blob
}

async function* bytesOf(folder: PieceFolder, pieces: readonly Piece[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield await readPiece(folder, piece)
}

async function hashOf(folder: PieceFolder, pieces: readonly Piece[]): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of bytesOf(folder, pieces)) digest.update(bytes)
  return digest.digest('hex')
}
