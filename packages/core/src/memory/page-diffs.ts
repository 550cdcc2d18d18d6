import { highlightDifferences } from '../delivery/page-diff/highlight-differences.ts'
import type { PageDiffs } from '../ports/index.ts'

/** Page diffs in place, for browsers and for tests: without a limit of time but what bounds the work itself. */
export function inlinePageDiffs(): PageDiffs {
  return { state: highlightDifferences, close: async () => undefined }
}
