/**
 * A check that runs at most once at a time. Concurrent callers share its answer, and for `ms` a
 * success also answers for later callers. A failure does not, so that a recovery is seen at once.
 */
export function shareSuccess(check: () => Promise<void>, ms: number): () => Promise<void> {
  let running: Promise<void> | null = null
  let succeeded = Number.NEGATIVE_INFINITY
  const start = async () => {
    try {
      await check()
      succeeded = performance.now()
    } finally {
      running = null
    }
  }
  return async () => {
    if (performance.now() - succeeded <= ms) return
    await (running ??= start())
  }
}
