import type { EntityKind, Branch, StoredJson } from './entities.ts'
import type { Filter, QueryField, QueryValue, Reader } from './query.ts'
import type { TextQuery } from './text.ts'

/** A search by words, best first. */
export interface SearchQuery {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  /** Without terms nothing is found. */
  readonly text: TextQuery
  /** Whether archived heads match too. */
  readonly archived: boolean
  /** 1 to 1 000. */
  readonly limit: number
  /** The `next` of an earlier page of the same query. */
  readonly after?: SearchCursor
  /** Whether to count the matches, as far as `mostCounted`. */
  readonly count: boolean
}

/** Matches that are counted at most: to count is to look at each. At twice, a search for a common word takes 2 ms longer. */
export const mostCounted = 1_000

/** The place after a match: its tier and its number in the order of the index. */
export interface SearchCursor {
  readonly tier: number
  readonly row: number
}

/**
 * One page of matches. Tiers are: 0 all terms in the name, as whole words; 1 in the name, as words or their beginnings; 2 anywhere (name,
 * passages, file, categories), as whole words; 3 anywhere. Each entity is in the first tier that it meets. Within a tier what was
 * last indexed comes first. Nothing of the order depends on other entities: what one may not read cannot be inferred from it.
 */
export interface SearchPage {
  readonly entities: readonly StoredJson[]
  /** Matches that the reader may see, at most `mostCounted`; undefined when not asked for. */
  readonly count?: number
  /** Whether there may be more than `count`. */
  readonly isCapped?: boolean
  /** Where the search goes on. A page may hold fewer than `limit` and still go on: the work of one page is bounded. */
  readonly next?: SearchCursor
}

/** How often each value of some fields occurs among what matches. */
export interface FacetQuery {
  readonly kind: EntityKind
  readonly reader: Reader
  readonly filter?: Filter
  readonly text?: TextQuery
  readonly archived: boolean
  /** `type`, `status`, `parentId`, or paths of values. */
  readonly fields: readonly QueryField[]
  /** Values of each field at most, 1 to 1 000. */
  readonly limit: number
}

/** A value and how many of the matches have it. */
export interface FacetCount {
  readonly value: QueryValue
  readonly count: number
}

/** What the index of a repository holds (specification 2.13). */
export interface SearchIndexInfo {
  /** Entities in it, on every branch of the repository. */
  readonly numDocs: number
  /** The highest number that an entity has in it. */
  readonly maxDocId: number
  /** Different words. */
  readonly numTerms: number
  /** Pairs of a word and an entity that holds it. */
  readonly numRecords: number
  /** Bytes of the inverted index. Where repositories share one: of all of it. */
  readonly invSize: number
  /** Blocks that it is kept in. Where repositories share one: of all of it. */
  readonly totalInvertedIndexBlocks: number
}

/** A part of an index that was made anew. */
export interface Reindexed {
  /** The place to go on after; null at the end. */
  readonly next: number | null
  /** How many entities. */
  readonly done: number
}

/** The administration of the search indexes; each repository has one. */
export interface SearchIndexes {
  /** Where it takes long to count, the figures are some seconds old. */
  info(repositoryId: string): Promise<SearchIndexInfo>
  /** The `numDocs` of `info` alone, without looking at a word. */
  size(repositoryId: string): Promise<number>
  /**
   * Makes a repository's index anew of what is kept of its entities, after the place `after` (0: from the start), in parts of at most
   * `limit`. Readers are not held up and see each entity all the while; writers wait no longer than for one another. What was
   * indexed keeps its order. Tells each part once it is made; who takes no more of them has no more made.
   * Errors: StoreUnavailable, with the part that is asked for; nothing happens before the first is. Concurrent calls: allowed, also of one
   * repository. Cost: proportional to the words of each part.
   */
  reindex(repositoryId: string, from: { after: number; limit: number }): AsyncIterable<Reindexed>
}

/** An entity on exactly one branch. */
export interface BranchRef extends Branch {
  readonly kind: EntityKind
  readonly id: string
}

/** The texts of files, by the hash of the file: extracted once, whoever holds the file. */
export interface TextReader {
  /** Null when there is none. */
  get(hash: string): Promise<string | null>
}

/** The same in a transaction. */
export interface TextWriter extends TextReader {
  /** Keeps the text of a file; to be put before the entity whose document names it. A text that is there stays. */
  put(hash: string, text: string): Promise<void>
  /**
   * Forgets texts of files that no version on any branch needs: of `limit` of them, in the order of hashes, after `after` (an empty one: from the start). Answers
   * where to go on (null: the end) and how many it forgot. Cost: proportional to those that it looks at.
   */
  sweep(part: {
    after: string
    limit: number
  }): Promise<{ readonly next: string | null; readonly forgotten: number }>
}
