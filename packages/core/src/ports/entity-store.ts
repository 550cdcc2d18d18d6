import type {
  Entity,
  EntityKind,
  EntityMoment,
  EntityVersion,
  EntityWrite,
  EdgeQuery,
  GraphEdge,
  IncomingEdge,
  Branch,
  OwnHead,
  StoredJson,
} from './entities.ts'
import type { EntityPage, EntityQuery } from './query.ts'
import type { FacetCount, FacetQuery, BranchRef, SearchPage, SearchQuery } from './search.ts'
import type { SearchDocument } from './text.ts'

/** Which entity: an id is unique within its kind. */
export interface EntityRef {
  readonly kind: EntityKind
  readonly id: string
}

/** A head that was softly deleted, on exactly its branch. */
export interface DeletedRef extends BranchRef {
  /** Unix ms. */
  readonly deletedDate: number
}

/** Reads of versioned entities, through a branch: the package's heads over main's. */
export interface EntityReader {
  /** The head, also when archived or soft-deleted (see `deletedDate`); null when the branch never had it. Cost: one index lookup a branch. */
  get(branch: Branch, kind: EntityKind, id: string): Promise<Entity | null>
  /** Heads by id, in no order, each once, without those that are absent. At most 1 000 ids. */
  getMany(branch: Branch, kind: EntityKind, ids: readonly string[]): Promise<readonly Entity[]>
  /**
   * The live head with this slug (archived ones count, soft-deleted ones do not); null when none. Where a package and main
   * have come to use the same slug for two entities, the package's own. Cost: one index lookup a branch.
   */
  getBySlug(branch: Branch, kind: EntityKind, slug: string): Promise<StoredJson | null>
  /**
   * Heads that match, that the reader may see, in order. Soft-deleted heads never match.
   * Cost: proportional to the page where an index carries filter and sort; the count to the number of matches.
   */
  list(branch: Branch, query: EntityQuery): Promise<EntityPage>
  /**
   * Heads that exactly this branch holds, of every kind, soft-deleted ones too, by kind and id: of a package, what it changed.
   * Those after `after` when given, at most `limit`. Cost: proportional to the page.
   */
  ownHeads(branch: Branch, page: { after?: EntityRef; limit: number }): Promise<readonly OwnHead[]>
  /** One version as it was saved on the branch that holds the entity's head; null when there is none. */
  version(branch: Branch, ref: EntityRef, version: number): Promise<EntityVersion | null>
  /** Versions from newest to oldest, those below `before` when given, at most `limit`. */
  versions(
    branch: Branch,
    ref: EntityRef,
    page: { before?: number; limit: number },
  ): Promise<readonly EntityVersion[]>
  /**
   * How many versions there are on the branch that holds the entity's head, and bytes of UTF-8 of what they say. Cost: proportional to their number, and
   * not to their bytes.
   */
  versionTotals(branch: Branch, ref: EntityRef): Promise<{ readonly count: number; readonly bytes: number }>
  /** The marks that stood at `time` (Unix ms) on the branch that holds the entity's head; null when it was not on that branch yet. */
  moment(branch: Branch, ref: EntityRef, time: number): Promise<EntityMoment | null>
  /**
   * Hashes of the blobs that any version on any branch needs, each once, in order: those after `after` when given, at most `limit`. Cost: proportional
   * to the page and to the versions that need the blobs of it.
   */
  neededBlobs(page: { after?: string; limit: number }): Promise<readonly string[]>
  /**
   * Heads on any branch that were softly deleted before a time (Unix ms), those that were deleted first before others; of the same ms in an order of
   * the store's own. Those after `after` when given, at most `limit`. Cost: proportional to the page.
   */
  deletedBefore(page: { before: number; after?: DeletedRef; limit: number }): Promise<readonly DeletedRef[]>
  /**
   * Whether any head on any branch, a soft-deleted one too, names a role in one of its lists. Cost: proportional to the heads that have
   * such lists.
   */
  namesRole(role: string): Promise<boolean>
  /** Edges that point at `targetId`, from live heads as the branch shows them. At most `limit`, by source id, then path. */
  incoming(branch: Branch, targetId: string, limit: number): Promise<readonly IncomingEdge[]>
  /**
   * Edges of live heads, as the branch shows them, that have one of some ids at one end: ordered by that end, then by the other, then
   * by path. At most `limit`: ask for fewer ids when as many come. Cost: proportional to the edges.
   */
  edges(branch: Branch, query: EdgeQuery): Promise<readonly GraphEdge[]>
  /** What matches words, best first (see `SearchPage`). Cost: bounded; grows with `limit`, not with the matches. */
  search(branch: Branch, query: SearchQuery): Promise<SearchPage>
  /**
   * For each of the fields of a query how often its values occur among live heads that match, the most frequent first, then by value.
   * Cost: proportional to the matches; stores keep it away from what answers requests.
   */
  facets(branch: Branch, query: FacetQuery): Promise<readonly (readonly FacetCount[])[]>
  /** What full-text search finds live heads by, by id; those without are missing. At most 1 000 ids. */
  documents(
    branch: Branch,
    kind: EntityKind,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, SearchDocument>>
}

/** Reads and writes of versioned entities inside a transaction. */
export interface EntityWriter extends EntityReader {
  /**
   * Writes the head of `entity` on its own branch (`repositoryId`, `packageId`) with its values, edges and search row,
   * replacing what was derived from the head before. A version is stored when `entity.version` is new on the branch;
   * with an unchanged number only the marks change and the version stays as it was first saved (its `savedDate` and `savedBy`
   * are the `updatedDate` and `updatedBy` it came with). A moment is kept either way, from `writtenDate` on, or from the last moment of the entity on the branch where
   * that is later (the clock was set back); a later one of the same ms replaces it. A value or an edge given twice counts once.
   * What it adds is charged (see `UsageChange`): a version to whoever saved it, an item to whoever created it, who is the same on every branch.
   *
   * `expectedRevision` is the revision read before (0: the branch holds no head of this id yet); `entity.revision` must be one more.
   *
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the head moved; `slug` when another live entity of the kind, as this branch shows it, has the slug.
   */
  put(entity: EntityWrite, expectedRevision: number): Promise<void>
  /**
   * Says what full-text search finds a live head by that exactly this branch holds, and changes nothing else of it. Absent is no error. For
   * the text of a file that was extracted after the save.
   */
  describe(branch: Branch, ref: EntityRef, document: SearchDocument): Promise<void>
  /**
   * Says that a live head, as it was read in this transaction, has no value of single fields that its type came to have, so that a sort by
   * them drops it no more, and changes nothing else of it.
   */
  addEmptyValues(head: Entity, paths: readonly string[]): Promise<void>
  /**
   * Forgets the versions of the entity on exactly this branch that are older than `before`, but for `keep` and, on main, those
   * that a package's head has as its base or as published; in a package its first, below which the numbers are main's. The head is never touched; what is not there is no error. Cost: proportional to what
   * goes and to the packages that hold the entity.
   */
  forgetVersions(
    branch: Branch,
    ref: EntityRef,
    old: { before: number; retain: number | null },
  ): Promise<void>
  /**
   * Removes an entity from exactly this branch for good: head, versions, moments and derived rows; a package then shows main's
   * again. Absent is no error.
   */
  purge(branch: Branch, ref: EntityRef): Promise<void>
}
