import type { SqlPart } from './sql-part.ts'

/**
 * Remembers counts from commit to commit. A count walks everything that matches, a page only its rows: of a list that is asked for
 * again before anybody wrote, only the page is read. For stores whose writes all go through this process.
 */
export interface CountMemo {
  /** The count of this very query since the last commit, else what `count` gives. */
  get(query: SqlPart, count: () => Promise<number>): Promise<number>
  /** To be called with each commit, in the same turn. */
  forget(): void
}

/** How many counts are kept; all are forgotten when there are more. One takes some 500 bytes. */
const MOST_COUNTS = 1_000

/** Opens an empty memory. */
export function createCountMemo(): CountMemo {
  let counts = new Map<string, number>()
  return {
    async get(query, count) {
      const key = `${query.key}\n${JSON.stringify(query.values)}`
      const stored = counts.get(key)
      if (stored !== undefined) return stored
      const since = counts
      const counted = await count()
      if (since === counts) {
        if (counts.size >= MOST_COUNTS) counts.clear()
        counts.set(key, counted)
      }
      return counted
    },
    forget() {
      if (counts.size > 0) counts = new Map()
    },
  }
}
