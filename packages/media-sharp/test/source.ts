/** Wraps bytes as a source for media. */
export function from(bytes: Uint8Array): () => Promise<Uint8Array> {
  return async () => bytes
}
