import { markDifferences } from '../page-diff/mark-differences.ts'
import type { PageDiffs } from '../ports/index.ts'

/** Page diffs in place, for browsers and for tests: without a limit of time but what bounds the work itself. */
export function inPlacePageDiffs(): PageDiffs {
  return { mark: markDifferences, close: async () => undefined }
}
