import type { JsonObject } from './json.ts'
import type { EntityQuery, EntityPage } from './query.ts'

/**
 * A line: the history an entity lives on. `packageId` null is the main line of the repository,
 * else the line of that package, which shows main with the package's changes over it.
 */
export interface Line {
  readonly repositoryId: string
  readonly packageId: string | null
}

/** The kinds of versioned entity. A new kind costs one word here. */
export type EntityKind = 'item' | 'folder' | 'taxonomy' | 'category' | 'site' | 'section' | 'page'

/** Who made a change, as the specification shows people (2.3). */
export interface UserRef {
  readonly userName: string
  readonly displayName: string
  readonly email: string
}

/** Role ids that limit an entity beyond the permission keys; an empty list is no limit. */
export interface EntityRoles {
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly delete: readonly string[]
}

/** What one version of an entity holds. Immutable once written. */
export interface Snapshot {
  /** The content type of an item; the kind's own name for everything else. */
  readonly type: string
  readonly name: string
  /** Unique among the live entities of one kind on a line; null for kinds without addresses. */
  readonly slug: string | null
  /** The folder, parent section or parent category. */
  readonly parentId: string | null
  readonly roles: EntityRoles
  /** Everything else the kind keeps: description, custom values, category ids, order… */
  readonly body: JsonObject
}

/** One stored version. */
export interface EntityVersion extends Snapshot {
  readonly kind: EntityKind
  readonly id: string
  /** 1, 2, 3… on the line it was written on, without gap. */
  readonly version: number
  /** Unix ms at which this version was saved. */
  readonly savedDate: number
  readonly savedBy: UserRef
}

/** The head of an entity on the line it was last written on, as seen from the line that was asked. */
export interface Entity extends Snapshot {
  readonly repositoryId: string
  /** The line that holds this head: null for main even when read through a package that left it alone. */
  readonly packageId: string | null
  readonly kind: EntityKind
  readonly id: string
  /** The number of the newest version on that line. */
  readonly version: number
  /** Grows by one with every write of the head, also by those that make no version (publish, archive). */
  readonly revision: number
  /** In a package: the main version it was taken from; null on main and for what the package created. */
  readonly base: number | null
  readonly publishedVersion: number | null
  readonly archived: boolean
  /** Unix ms of a soft delete; null while the entity lives. */
  readonly deletedDate: number | null
  readonly createdDate: number
  readonly createdBy: UserRef
  readonly updatedDate: number
  readonly updatedBy: UserRef
  /** Unix ms of the last publish; null when nothing is published. */
  readonly publishedDate: number | null
  /** The JSON text sent to callers, kept so that a read serialises nothing. */
  readonly presentation: string
}

/** A value that filters and sorts can reach, by its path below `fields` (`price`, `seo.title`). */
export interface IndexedValue {
  readonly path: string
  /** Null stands for an absent single value, so that a sort by this field finds the entity too. */
  readonly value: string | number | boolean | null
}

/** An edge from the entity to another. */
export interface Edge {
  /** Path below `fields`, or `categories`, or `parent`. */
  readonly path: string
  readonly targetId: string
  /** What holds when the target is deleted: `restrict` refuses it, `unset` removes the value, `ignore` leaves it. */
  readonly onDelete: 'restrict' | 'unset' | 'ignore'
}

/** A head to be written, with the rows that are derived from it. */
export interface EntityWrite extends Entity {
  readonly values: readonly IndexedValue[]
  readonly edges: readonly Edge[]
  /** What full-text search finds this entity by. */
  readonly searchText: string
}

/** An edge as found from its target's end. */
export interface IncomingEdge extends Edge {
  readonly source: Entity
}

/** The marks of an entity as they stood from `from` on: what time travel needs beside the versions. */
export interface EntityMoment {
  readonly from: number
  readonly version: number
  readonly publishedVersion: number | null
  readonly publishedDate: number | null
  readonly archived: boolean
  readonly deleted: boolean
}

/** Reads of versioned entities, through a line: the package's heads over main's. */
export interface EntityReader {
  /** The head, also when archived or soft-deleted (see `deletedDate`); null when the line never had it. Cost: one index lookup a line. */
  get(line: Line, kind: EntityKind, id: string): Promise<Entity | null>
  /** Heads by id, in no order, without those that are absent. At most 1 000 ids. */
  getMany(line: Line, kind: EntityKind, ids: readonly string[]): Promise<readonly Entity[]>
  /** The live head with this slug (archived ones count, soft-deleted ones do not); null when none. Cost: one index lookup a line. */
  getBySlug(line: Line, kind: EntityKind, slug: string): Promise<Entity | null>
  /**
   * Heads that match, that the reader may see, in order. Soft-deleted heads never match.
   * Cost: proportional to the page where an index carries filter and sort; the count to the number of matches.
   */
  list(line: Line, query: EntityQuery): Promise<EntityPage>
  /** One version as it was saved on the line that holds the entity's head; null when there is none. */
  version(line: Line, kind: EntityKind, id: string, version: number): Promise<EntityVersion | null>
  /** Versions from newest to oldest, those below `before` when given, at most `limit`. */
  versions(line: Line, kind: EntityKind, id: string, page: { before?: number; limit: number }): Promise<readonly EntityVersion[]>
  /** The marks that stood at `time` (Unix ms); null when the entity was not there yet. */
  moment(line: Line, kind: EntityKind, id: string, time: number): Promise<EntityMoment | null>
  /** Edges that point at `targetId`, from live heads as the line shows them. At most `limit`, by source id, then path. */
  incoming(line: Line, targetId: string, limit: number): Promise<readonly IncomingEdge[]>
}

/** Reads and writes of versioned entities inside a transaction. */
export interface EntityWriter extends EntityReader {
  /**
   * Writes the head of `entity` on its own line (`repositoryId`, `packageId`) with its values, edges and search row,
   * replacing what was derived from the head before. A version is stored when `entity.version` is new on the line;
   * with an unchanged number only the marks change. A moment is kept either way (a later one of the same ms replaces it).
   *
   * `expectedRevision` is the revision read before (0: the line holds no head of this id yet); `entity.revision` must be one more.
   *
   * Concurrent calls: of two writers that expect the same revision exactly one wins.
   * Errors: StoreConflict `stale` when the head moved; `slug` when another live entity of the kind, as this line shows it, has the slug.
   */
  put(entity: EntityWrite, expectedRevision: number): Promise<void>
  /** Removes an entity from its line for good: head, versions, moments and derived rows. Absent is no error. */
  purge(line: Line, kind: EntityKind, id: string): Promise<void>
}
