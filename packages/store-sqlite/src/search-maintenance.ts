import type { Database } from 'better-sqlite3'

/** Keeps the number of segments in the search index low, in small steps. */
export interface SearchMaintenance {
  /**
   * Merges a part that is sized by the number of documents written or deleted since the last call.
   * Call before a commit.
   */
  beforeCommit(documents: number): void
  /** Merges a small part, in a transaction of its own. Returns whether there may be more to merge. */
  whileIdle(): boolean
}

/**
 * Index pages that a commit merges at most: to start with, and per document. A commit adds a page
 * or more, and each page is rewritten for each of some seven levels. With half of `first`, single
 * writes add more than they merge. 64 pages take some 10 ms.
 */
const pages = { first: 8, perDocument: 1, most: 64 }

/**
 * Index pages of a step between transactions: some 2 ms, and 15 ms when the log is folded into the file.
 * At twice, a read that arrives waits for as long again; at half, a large import takes twice as long to be
 * merged.
 */
const IDLE_PAGES = 16

/**
 * FTS5 by itself would do nothing for 64 pages and then merge for up to a second. With 64 000 rows, 64
 * per commit, the longest commit took 22 ms instead of 77, and all of them 6.0 s instead of 8.2 (SQLite
 * 3.54).
 *
 * Commits of long documents, and of many, write more than they merge: after 10 000 items in five
 * languages there were 47 segments, and a search took twice as long as with 2. Merging those while
 * nothing is written took 0.3 s, in 134 steps.
 */
export function createSearchMaintenance(database: Database): SearchMaintenance {
  const merge = database.prepare<[number]>("INSERT INTO search (search, rank) VALUES ('merge', ?)")
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck()
  return {
    beforeCommit(documents) {
      if (documents > 0) merge.run(searchPart(documents))
    },
    whileIdle() {
      const before = changes.get() ?? 0
      merge.run(IDLE_PAGES)
      // How FTS5 says that it merged something.
      return (changes.get() ?? 0) - before >= 2
    },
  }
}

/** The number of pages to merge after so many documents. */
function searchPart(documents: number): number {
  return Math.min(pages.first + documents * pages.perDocument, pages.most)
}
