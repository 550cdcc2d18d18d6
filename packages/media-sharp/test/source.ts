/** Bytes at hand, as a source that media load. */
export function from(bytes: Uint8Array): () => Promise<Uint8Array> {
  return async () => bytes
}
