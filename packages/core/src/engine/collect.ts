import type { Bytes } from '../ports/index.ts'

/** All bytes of a source as one. */
export async function collect(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return joined(chunks)
}

/** Bytes of a piece: 64 KiB. At twice, slow readers hold twice as much; at half, it takes more turns. */
const pieceSize = 64 * 1024

/** Copies of bytes in memory, piece by piece as they are read: a reader may write to what it is given or hand it to a worker. */
export async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += pieceSize) yield bytes.slice(start, start + pieceSize)
}

/** Chunks as one. */
export function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let end = 0
  for (const chunk of chunks) {
    all.set(chunk, end)
    end += chunk.length
  }
  return all
}
