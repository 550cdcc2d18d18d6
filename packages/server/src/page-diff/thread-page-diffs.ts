import { type PageDiffs, PageDiffRefused } from '@quire/core/ports'
import { type PageDiffThread, type ThreadLimits, closed, startPageDiffThread } from './page-diff-thread.ts'

/**
 * Limits of a comparison. Pages of 200 KB take 0.1 s, the largest that are taken 3 s. At twice the time a page that was made to be slow holds
 * others up for longer; at half, a slow machine refuses large pages. The largest pages need 190 MiB, by bounds of their own: a thread that
 * runs out of memory can take its process along.
 */
const defaults: ThreadLimits = { timeMs: 5000, memoryMiB: 256 }

/** Comparisons that wait at most, each with its two pages. */
const MOST_WAITING = 64

/**
 * Page diffs in one thread, which starts with the first of them and with the first after a limit ended it. Calls take their turn. Errors of
 * `mark`: PageDiffRefused.
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
        throw new PageDiffRefused('busy', 'Too many pages wait to be compared: try again.')
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
