import type { SqlPart } from './sql-part.ts'

/**
 * Caches counts between commits. A count walks all matches, a page only its own rows. When a list
 * is read again before the next commit, only the page is read. Only for stores whose writes all go
 * through this process.
 */
export interface CountMemo {
  /** The count of exactly this query since the last commit, else the result of `count`. */
  get(query: SqlPart, count: () => Promise<number>): Promise<number>
  /** Call at each commit, in the same tick of the event loop. */
  forget(): void
}

/** Counts in the cache, some 500 bytes each. The cache is cleared when it is full. */
const MOST_COUNTS = 1_000

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
