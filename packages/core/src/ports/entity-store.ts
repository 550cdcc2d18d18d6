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
  HeadState,
  StoredJson,
} from './entities.ts'
import type { EntityPage, EntityQuery } from './query.ts'
import type { FacetCount, FacetQuery, BranchRef, SearchPage, SearchQuery } from './search.ts'
import type { SearchDocument } from './text.ts'

/** Identifies an entity; an id is unique within its kind. */
export interface EntityRef {
  readonly kind: EntityKind
  readonly id: string
}

/** A soft-deleted head, on exactly its branch. */
export interface DeletedRef extends BranchRef {
  /** Unix ms. */
  readonly deletedDate: number
}

/** An entity by its slug. */
export interface SoughtSlug {
  readonly kind: EntityKind
  readonly slug: string
  /**
   * Whether the caller has the text of a head already; its `json` may then be empty. Called at most once,
   * and only for the head that is returned if it says yes. Default: the caller has none.
   */
  readonly hasText?: ((head: HeadState) => boolean) | undefined
}

/** Reads versioned entities as a branch sees them: the package's heads over main's. */
export interface EntityReader {
  /**
   * The head, even if archived or soft-deleted (see `deletedDate`); null when the branch has never
   * had it. Cost: one index lookup per branch.
   */
  get(branch: Branch, kind: EntityKind, id: string): Promise<Entity | null>
  /** Heads by id, each once, in no particular order; absent ids are skipped. At most 1 000 ids. */
  getMany(branch: Branch, kind: EntityKind, ids: readonly string[]): Promise<readonly Entity[]>
  /**
   * The live head with this slug (archived heads count, soft-deleted ones do not); null when there
   * is none. If a package and main now use the same slug for two entities, the package's own head.
   * Cost: one index lookup per branch.
   */
  getBySlug(branch: Branch, sought: SoughtSlug): Promise<StoredJson | null>
  /**
   * The matching heads that the reader may see, in order: in a package, also by the read roles of
   * main's head (see `mainReaders`). Soft-deleted heads never match.
   * Cost: proportional to the page if an index supports filter and sort; counting is proportional
   * to the number of matches.
   */
  list(branch: Branch, query: EntityQuery): Promise<EntityPage>
  /**
   * Heads of every kind that exactly this branch holds, including soft-deleted ones, ordered by
   * kind and id. For a package these are its changes. Starts after `after` when given; at most
   * `limit`. Cost: proportional to the page.
   */
  ownHeads(branch: Branch, page: { after?: EntityRef; limit: number }): Promise<readonly OwnHead[]>
  /** One version as saved on the branch that holds the entity's head; null when there is none. */
  version(branch: Branch, ref: EntityRef, version: number): Promise<EntityVersion | null>
  /** Versions from newest to oldest, only those below `before` when given; at most `limit`. */
  versions(
    branch: Branch,
    ref: EntityRef,
    page: { before?: number; limit: number },
  ): Promise<readonly EntityVersion[]>
  /**
   * The number of versions on the branch that holds the entity's head, and the UTF-8 bytes of their
   * content. Cost: proportional to the number of versions, not to their bytes.
   */
  versionTotals(branch: Branch, ref: EntityRef): Promise<{ readonly count: number; readonly bytes: number }>
  /**
   * The state at `time` (Unix ms) on the branch that holds the entity's head; null when the entity
   * was not on that branch yet.
   */
  moment(branch: Branch, ref: EntityRef, time: number): Promise<EntityMoment | null>
  /**
   * Hashes of the blobs that any version on any branch needs, each once, in order. Starts after
   * `after` when given; at most `limit`. Cost: proportional to the page and to the versions that
   * need its blobs.
   */
  neededBlobs(page: { after?: string; limit: number }): Promise<readonly string[]>
  /**
   * Heads on any branch that were soft-deleted before a time (Unix ms), in the order of deletion;
   * within one millisecond the store chooses the order. Starts after `after` when given; at most
   * `limit`. Cost: proportional to the page.
   */
  deletedBefore(page: { before: number; after?: DeletedRef; limit: number }): Promise<readonly DeletedRef[]>
  /**
   * Whether any head on any branch, including soft-deleted ones, names the role in one of its role
   * lists. Cost: proportional to the heads that have such lists.
   */
  namesRole(role: string): Promise<boolean>
  /**
   * Edges that point at `targetId` from live heads visible on the branch, ordered by source id,
   * then path; at most `limit`.
   */
  incoming(branch: Branch, targetId: string, limit: number): Promise<readonly IncomingEdge[]>
  /**
   * Edges of live heads visible on the branch that have one of the given ids at the given end. They
   * are ordered by that end, then the other end, then path; at most `limit`. If exactly `limit`
   * edges are returned, there may be more: continue with `after`, or ask for fewer ids. Cost:
   * proportional to the number of edges.
   */
  edges(branch: Branch, query: EdgeQuery): Promise<readonly GraphEdge[]>
  /**
   * The entities that match the words, best first (see `SearchPage`). Cost: bounded; grows with
   * `limit`, not with the number of matches.
   */
  search(branch: Branch, query: SearchQuery): Promise<SearchPage>
  /**
   * For each field of the query, how often each value occurs among the matching live heads: most
   * frequent first, then by value. Cost: proportional to the number of matches; stores must not let
   * it block other requests.
   */
  facets(branch: Branch, query: FacetQuery): Promise<readonly (readonly FacetCount[])[]>
  /**
   * The search documents of live heads, by id; heads without one are missing. At most 1 000 ids.
   */
  documents(
    branch: Branch,
    kind: EntityKind,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, SearchDocument>>
}

/** Reads and writes of versioned entities inside a transaction. */
export interface EntityWriter extends EntityReader {
  /**
   * Writes the head of `entity` on its own branch (`repositoryId`, `packageId`) with its values,
   * edges and search row, replacing everything derived from the previous head.
   * If `entity.version` is new on the branch, a version is stored. Otherwise only the state
   * changes, and the version stays as it was first saved; its `savedDate` and `savedBy` are the
   * `updatedDate` and `updatedBy` of that first save.
   * Either way a moment is stored, starting at `writtenDate`, or at the entity's last moment on the
   * branch if that is later (the clock was set back). A later moment of the same millisecond
   * replaces it. A value or an edge given twice counts once.
   * What the write adds is charged (see `UsageChange`): a version to the account that saved it, an
   * item to the account that created it, which is the same on every branch.
   *
   * `expectedRevision` is the revision read before (0: the branch does not hold a head of this id
   * yet); `entity.revision` must be one more.
   *
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the head has another revision; `slug` when another live
   * entity of the kind, visible on this branch, has the slug.
   */
  put(entity: EntityWrite, expectedRevision: number): Promise<void>
  /**
   * Replaces the search document of a live head that exactly this branch holds, and changes nothing
   * else. Absent is not an error. Used for the text of a file that was extracted after the save.
   */
  describe(branch: Branch, ref: EntityRef, document: SearchDocument): Promise<void>
  /**
   * Stores empty values for single-valued fields that were added to the type of a live head, so
   * that a sort by them includes it; changes nothing else. The head must have been read in this
   * transaction.
   */
  addEmptyValues(head: Entity, paths: readonly string[]): Promise<void>
  /**
   * Deletes the entity's versions on exactly this branch whose numbers are below `before`. It never
   * deletes the version `retain`; on main, versions that a package's head has as its base or as
   * published; in a package, the first version, below which the numbers are main's. The head is
   * never changed. Absent versions are not an error. Cost: proportional to the versions deleted and
   * to the packages that hold the entity.
   */
  forgetVersions(
    branch: Branch,
    ref: EntityRef,
    old: { before: number; retain: number | null },
  ): Promise<void>
  /**
   * Permanently removes an entity from exactly this branch: head, versions, moments and derived
   * rows. A package then sees main's entity again. Absent is not an error.
   */
  purge(branch: Branch, ref: EntityRef): Promise<void>
}
