import type {
  Entity,
  EntityKind,
  EntityMoment,
  EntityVersion,
  EntityWrite,
  EdgeQuery,
  GraphEdge,
  IncomingEdge,
  Line,
  OwnHead,
  PresentedEntity,
} from './entities.ts'
import type { EntityPage, EntityQuery } from './query.ts'
import type { FacetCount, FacetQuery, LineRef, SearchPage, SearchQuery } from './search.ts'
import type { SearchDocument } from './text.ts'

/** Which entity: an id is unique within its kind. */
export interface EntityRef {
  readonly kind: EntityKind
  readonly id: string
}

/** A head that was softly deleted, on exactly its line. */
export interface DeletedRef extends LineRef {
  /** Unix ms. */
  readonly deletedDate: number
}

/** Reads of versioned entities, through a line: the package's heads over main's. */
export interface EntityReader {
  /** The head, also when archived or soft-deleted (see `deletedDate`); null when the line never had it. Cost: one index lookup a line. */
  get(line: Line, kind: EntityKind, id: string): Promise<Entity | null>
  /** Heads by id, in no order, each once, without those that are absent. At most 1 000 ids. */
  getMany(line: Line, kind: EntityKind, ids: readonly string[]): Promise<readonly Entity[]>
  /**
   * The live head with this slug (archived ones count, soft-deleted ones do not); null when none. Where a package and main
   * have come to use the same slug for two entities, the package's own. Cost: one index lookup a line.
   */
  getBySlug(line: Line, kind: EntityKind, slug: string): Promise<PresentedEntity | null>
  /**
   * Heads that match, that the reader may see, in order. Soft-deleted heads never match.
   * Cost: proportional to the page where an index carries filter and sort; the count to the number of matches.
   */
  list(line: Line, query: EntityQuery): Promise<EntityPage>
  /**
   * Heads that exactly this line holds, of every kind, soft-deleted ones too, by kind and id: of a package, what it changed.
   * Those after `after` when given, at most `limit`. Cost: proportional to the page.
   */
  ownHeads(line: Line, page: { after?: EntityRef; limit: number }): Promise<readonly OwnHead[]>
  /** One version as it was saved on the line that holds the entity's head; null when there is none. */
  version(line: Line, ref: EntityRef, version: number): Promise<EntityVersion | null>
  /** Versions from newest to oldest, those below `before` when given, at most `limit`. */
  versions(
    line: Line,
    ref: EntityRef,
    page: { before?: number; limit: number },
  ): Promise<readonly EntityVersion[]>
  /** The marks that stood at `time` (Unix ms) on the line that holds the entity's head; null when it was not on that line yet. */
  moment(line: Line, ref: EntityRef, time: number): Promise<EntityMoment | null>
  /**
   * Hashes of the blobs that any version on any line needs, each once, in order: those after `after` when given, at most `limit`. Cost: proportional
   * to the page and to the versions that need the blobs of it.
   */
  neededBlobs(page: { after?: string; limit: number }): Promise<readonly string[]>
  /**
   * Heads on any line that were softly deleted before a time (Unix ms), those that were deleted first before others; of the same ms in an order of
   * the store's own. Those after `after` when given, at most `limit`. Cost: proportional to the page.
   */
  deletedBefore(page: { before: number; after?: DeletedRef; limit: number }): Promise<readonly DeletedRef[]>
  /** Edges that point at `targetId`, from live heads as the line shows them. At most `limit`, by source id, then path. */
  incoming(line: Line, targetId: string, limit: number): Promise<readonly IncomingEdge[]>
  /**
   * Edges of live heads, as the line shows them, that have one of some ids at one end: ordered by that end, then by the other, then
   * by path. At most `limit`: ask for fewer ids when as many come. Cost: proportional to the edges.
   */
  edges(line: Line, query: EdgeQuery): Promise<readonly GraphEdge[]>
  /** What matches words, best first (see `SearchPage`). Cost: bounded; grows with `limit`, not with the matches. */
  search(line: Line, query: SearchQuery): Promise<SearchPage>
  /**
   * For each of the fields of a query how often its values occur among live heads that match, the most frequent first, then by value.
   * Cost: proportional to the matches; stores keep it away from what answers requests.
   */
  facets(line: Line, query: FacetQuery): Promise<readonly (readonly FacetCount[])[]>
  /** What full-text search finds live heads by, by id; those without are missing. At most 1 000 ids. */
  documents(
    line: Line,
    kind: EntityKind,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, SearchDocument>>
}

/** Reads and writes of versioned entities inside a transaction. */
export interface EntityWriter extends EntityReader {
  /**
   * Writes the head of `entity` on its own line (`repositoryId`, `packageId`) with its values, edges and search row,
   * replacing what was derived from the head before. A version is stored when `entity.version` is new on the line;
   * with an unchanged number only the marks change and the version stays as it was first saved (its `savedDate` and `savedBy`
   * are the `updatedDate` and `updatedBy` it came with). A moment is kept either way, from `writtenDate` on (a later one of the
   * same ms replaces it). A value or an edge given twice counts once.
   *
   * `expectedRevision` is the revision read before (0: the line holds no head of this id yet); `entity.revision` must be one more.
   *
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the head moved; `slug` when another live entity of the kind, as this line shows it, has the slug.
   */
  put(entity: EntityWrite, expectedRevision: number): Promise<void>
  /**
   * Says what full-text search finds a live head by that exactly this line holds, and changes nothing else of it. Absent is no error. For what a
   * store of before did not keep.
   */
  describe(line: Line, ref: EntityRef, document: SearchDocument): Promise<void>
  /**
   * Forgets the versions of the entity on exactly this line that are older than `before`, but for `keep` and, on main, those
   * that a package's head has as its base or as published. The head is never touched; what is not there is no error. Cost: proportional to what
   * goes and to the packages that hold the entity.
   */
  forgetVersions(line: Line, ref: EntityRef, old: { before: number; keep: number | null }): Promise<void>
  /**
   * Removes an entity from exactly this line for good: head, versions, moments and derived rows; a package then shows main's
   * again. Absent is no error.
   */
  purge(line: Line, ref: EntityRef): Promise<void>
}
