import type { Server } from 'node:http'

/**
 * Milliseconds after the start: the jobs that are due at once have run. At twice, a caller is more
 * likely to be there already.
 */
const afterMs = 1000

/**
 * Returns the memory that only the start needed to the system, 20 MB: modules, compiled code that
 * does not run again, and pages of the young generation. V8 does not do so by itself while a process
 * is idle. It takes 50 ms of the main thread, so it is done once, and only if no connection is open.
 * Does nothing when Node was started without `--expose-gc`.
 */
export function releaseStartMemory(server: Server): void {
  const release = () =>
    server.getConnections((_error, count) => {
      // Of V8's kinds of collections, only this one releases its pages at once.
      if (count === 0) void globalThis.gc?.({ type: 'major', flavor: 'last-resort' })
    })
  setTimeout(release, afterMs).unref()
}
