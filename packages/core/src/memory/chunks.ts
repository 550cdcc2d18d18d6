import type { Bytes } from '../ports/index.ts'

/** All chunks of a source; copies, since it may use its buffer again. */
export async function copiesOf(bytes: Bytes): Promise<Uint8Array<ArrayBuffer>[]> {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for await (const chunk of bytes) chunks.push(new Uint8Array(chunk))
  return chunks
}
