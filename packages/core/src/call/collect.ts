import type { Bytes } from '../ports/index.ts'

/** All bytes of a source as one. */
export async function collect(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return joined(chunks)
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
