/** What `work` gives, worked out for the first who asks and kept. A failure goes to all who wait for it; who asks afterwards begins anew. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let working: Promise<T> | undefined
  return () => {
    working ??= work().catch((error: unknown) => {
      working = undefined
      throw error
    })
    return working
  }
}
