import type { Bytes } from '@quire/core/ports'

/**
 * Bytes sent at once: 8 MiB, what a part of S3 may be (5 MiB and more) and what may be lost of an upload (`durableEvery`). At twice,
 * fifty uploads hold 800 MiB.
 */
export const pieceSize = 8 * 1024 * 1024

/**
 * The same bytes in pieces of `pieceSize`, only the last one shorter. Chunks are copied, as a source may use its buffer again. A piece is
 * good until the next is asked for. Cost: memory as bytes come, `pieceSize` at most.
 */
export async function* inPieces(bytes: Bytes): AsyncGenerator<Buffer> {
  let buffer: Buffer = Buffer.alloc(0)
  let used = 0
  for await (const chunk of bytes) {
    let taken = 0
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + pieceSize - used)
      buffer = withRoom(buffer, used, part.length)
      buffer.set(part, used)
      taken += part.length
      used += part.length
      if (used < pieceSize) continue
      used = 0
      yield buffer
    }
  }
  if (used > 0) yield buffer.subarray(0, used)
}

const smallestBuffer = 64 * 1024

/** A small upload does not cost the buffer of a large one. */
function withRoom(buffer: Buffer, used: number, more: number): Buffer {
  if (buffer.length >= used + more) return buffer
  let size = Math.max(buffer.length, smallestBuffer)
  while (size < used + more) size *= 2
  const larger = Buffer.allocUnsafeSlow(Math.min(size, pieceSize))
  larger.set(buffer.subarray(0, used))
  return larger
}

/** All of a source that has little. */
export async function joined(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}
