import type { EntityKind, Branch, StoredJson } from './entities.ts'
import type { Filter, QueryField, QueryValue, Reader } from './query.ts'
import type { TextQuery } from './text.ts'

/** A full-text search, best matches first. */
export interface SearchQuery {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  /** A query without terms finds nothing. */
  readonly text: TextQuery
  /** Whether archived heads match too. */
  readonly archived: boolean
  /** 1 to 1 000. */
  readonly limit: number
  /** The `next` of an earlier page of the same query. */
  readonly after?: SearchCursor
  /** Whether to count the matches, up to `mostCounted`. */
  readonly count: boolean
}

/**
 * The highest count of matches: counting has to look at each one. At twice this value a search for
 * a common word takes 2 ms longer.
 */
export const mostCounted = 1_000

/** The position after a match: its tier and its number in the order of the index. */
export interface SearchCursor {
  readonly tier: number
  readonly row: number
}

/**
 * One page of matches, in tiers: 0 has all terms in the name, as whole words; 1 in the name, as
 * words or prefixes; 2 anywhere (name, passages, file, categories), as whole words; 3 anywhere.
 * Each entity is in the first tier whose condition it meets.
 * Within a tier the most recently indexed entity comes first. The order does not depend on other
 * entities, so it reveals nothing about entities that the reader may not see.
 */
export interface SearchPage {
  readonly entities: readonly StoredJson[]
  /**
   * The matches that the reader may see, at most `mostCounted`; undefined when no count was
   * requested.
   */
  readonly count?: number
  /** Whether there may be more matches than `count`. */
  readonly isCapped?: boolean
  /**
   * Where to continue. A page can have fewer than `limit` entities and still continue, because the
   * work for one page is bounded.
   */
  readonly next?: SearchCursor
}

/** A query for how often each value of some fields occurs among the matches. */
export interface FacetQuery {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  readonly text?: TextQuery
  readonly archived: boolean
  /** `type`, `status`, `parentId`, or paths of values. */
  readonly fields: readonly QueryField[]
  /** Maximum number of values per field, 1 to 1 000. */
  readonly limit: number
}

/** A value and the number of matches that have it. */
export interface FacetCount {
  readonly value: QueryValue
  readonly count: number
}

/** The search index of a repository (specification 2.13). */
export interface SearchIndexInfo {
  /** Indexed entities, on every branch of the repository. */
  readonly numDocs: number
  /** The highest document number in use. */
  readonly maxDocId: number
  /** Number of distinct words. */
  readonly numTerms: number
  /** Number of pairs of a word and an entity that contains it. */
  readonly numRecords: number
  /** Bytes of the inverted index. If repositories share an index, of the whole index. */
  readonly invSize: number
  /**
   * Number of blocks that the index is stored in. If repositories share an index, of the whole
   * index.
   */
  readonly totalInvertedIndexBlocks: number
}

/** A part of an index that was rebuilt. */
export interface Reindexed {
  /** The position to continue after; null at the end. */
  readonly next: number | null
  /** Number of entities in this part. */
  readonly done: number
}

/** Administration of the search indexes, one per repository. */
export interface SearchIndexes {
  /** Figures that take long to count may be some seconds old. */
  info(repositoryId: string): Promise<SearchIndexInfo>
  /** The `numDocs` of `info` alone, without reading any words. */
  size(repositoryId: string): Promise<number>
  /**
   * Rebuilds a repository's index from its stored entities, starting after the position `after` (0:
   * from the start), in parts of at most `limit`. Yields each part when it is finished; when the
   * consumer stops iterating, the rebuild stops.
   * Readers are not blocked and can find every entity throughout; writers wait no longer than for
   * another writer. Entities keep their order in the index.
   * Concurrent calls: allowed, also for one repository. Cost: proportional to the words in each
   * part. Errors: StoreUnavailable, for the part that is being requested; nothing happens before
   * the first request.
   */
  reindex(repositoryId: string, from: { after: number; limit: number }): AsyncIterable<Reindexed>
}

/** Identifies an entity on exactly one branch. */
export interface BranchRef extends Branch {
  readonly kind: EntityKind
  readonly id: string
}

/**
 * Extracted texts of files, by file hash: each is extracted once, whichever entities hold the file.
 */
export interface TextReader {
  /** Null when no text is stored. */
  get(hash: string): Promise<string | null>
}

/** Writes extracted texts inside a transaction. */
export interface TextWriter extends TextReader {
  /**
   * Stores the text of a file; must be called before the entity whose document names it is written.
   * An existing text stays unchanged.
   */
  put(hash: string, text: string): Promise<void>
  /**
   * Looks at `limit` texts in hash order, starting after `after` (empty: from the start), and
   * deletes those whose files no version on any branch needs. Returns where to continue (null: the
   * end) and how many were deleted. Cost: proportional to the number of texts looked at.
   */
  sweep(part: {
    after: string
    limit: number
  }): Promise<{ readonly next: string | null; readonly forgotten: number }>
}
