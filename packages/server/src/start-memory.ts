/**
 * Milliseconds after the start, and between attempts: the jobs that are due at once have run by
 * then. At twice, a caller is more likely to be there already.
 */
const everyMs = 1000

/**
 * Returns the memory that only the start needed to the system, 20 MB: modules, compiled code that
 * does not run again, and pages of the young generation. V8 does not do so by itself while a process
 * is idle. It takes 50 ms of the main thread, so it is done once, as soon as no request is under way.
 * Does nothing when Node was started without `--expose-gc`.
 */
export function releaseStartMemory(load: { underWay(): number }): void {
  const attempt = setInterval(() => {
    if (load.underWay() > 0) return
    clearInterval(attempt)
    // Of V8's kinds of collections, only this one releases its pages at once.
    globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
  }, everyMs).unref()
}
