import { type PageDiffs, PageDiffRefused } from '@quire/core/ports'
import { type PageDiffThread, type ThreadLimits, closed, startPageDiffThread } from './page-diff-thread.ts'

/**
 * Limits of a comparison. Pages of 200 KB take 0.1 s, the largest accepted ones 3 s. At twice the
 * time, a page that is made to be slow delays others for longer; at half, a slow machine rejects
 * large pages. The largest pages need 190 MiB. They have size limits of their own, because a thread
 * that runs out of memory can take its process down.
 */
const defaults: ThreadLimits = { timeMs: 5000, memoryMiB: 256 }

/** The most comparisons that wait. Each holds its two pages in memory. */
const MOST_WAITING = 64

/**
 * Page diffs in one thread. It starts with the first comparison, and again with the first one after
 * a limit has ended it. Calls are queued. Errors of `state`: PageDiffRefused.
 */
export function threadPageDiffs(limits: Partial<ThreadLimits> = {}): PageDiffs {
  const bounds = { ...defaults, ...limits }
  let thread: PageDiffThread | undefined
  let slot: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let waiting = 0
  const highlightNow = (before: string, after: string) => {
    if (isClosed) throw closed()
    if (!thread?.isOpen()) thread = startPageDiffThread(bounds)
    return thread.state({ before, after })
  }
  return {
    async state(before, after) {
      if (waiting >= MOST_WAITING)
        throw new PageDiffRefused('busy', 'Too many pages are waiting to be compared: try again.')
      waiting++
      const mine = slot.then(() => highlightNow(before, after)).finally(() => waiting--)
      slot = mine.catch(() => undefined)
      return mine
    },
    async close() {
      isClosed = true
      await thread?.end()
    },
  }
}
