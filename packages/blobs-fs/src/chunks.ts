import type { FileHandle } from 'node:fs/promises'
import type { Bytes } from '@quire/core/ports'
import { onDisk } from './disk-error.ts'

/**
 * Bytes to read or write at once: 256 KiB. With a quarter, a large read takes half as long again;
 * more gains nothing (measured).
 */
export const pieceSize = 256 * 1024

/**
 * Splits bytes into pieces of `pieceSize`; only the last one is shorter. A piece is valid until the
 * next is requested. Chunks are copied, so that the hashed bytes are the written ones even if the
 * source reuses its buffer.
 */
export async function* inPieces(bytes: Bytes): AsyncGenerator<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(pieceSize)
  let used = 0
  for await (const chunk of bytes) {
    let accepted = 0
    while (accepted < chunk.length) {
      const part = chunk.subarray(accepted, accepted + pieceSize - used)
      accepted += part.length
      if (part.length === pieceSize) {
        yield part
        continue
      }
      buffer.set(part, used)
      used += part.length
      if (used < pieceSize) continue
      used = 0
      yield buffer
    }
  }
  if (used > 0) yield buffer.subarray(0, used)
}

/**
 * Writes a whole piece. The system may write only a part of it, for instance just before a disk is
 * full.
 */
export async function writePiece(handle: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let written = 0
  while (written < piece.length) {
    const rest = piece.length - written
    const { bytesWritten } = await onDisk(handle.write(piece, written, rest, position + written))
    written += bytesWritten
  }
}

/** A part of an open file, from `start` up to but excluding `end`. */
export interface Part {
  readonly handle: FileHandle
  readonly start: number
  readonly end: number
}

/** Returns one piece after another, null at the end. */
export type NextChunk = () => Promise<Uint8Array | null>

/** Reads a part of a file piece by piece. It ends early when the file does. */
export function piecesOf({ handle, start, end }: Part): NextChunk {
  let position = start
  return async () => {
    const length = Math.min(pieceSize, end - position)
    if (length <= 0) return null
    const { bytesRead, buffer } = await onDisk(
      handle.read(Buffer.allocUnsafeSlow(length), 0, length, position),
    )
    position += bytesRead
    return bytesRead === 0 ? null : buffer.subarray(0, bytesRead)
  }
}

/** Converts a piece reader to an async iterable. */
export async function* bytesOf(next: NextChunk): AsyncGenerator<Uint8Array> {
  for (let piece = await next(); piece; piece = await next()) yield piece
}
