/**
 * Runs `work` on the first call and caches its result. When it fails, all waiting callers get the
 * error, and the next call runs it again.
 */
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
