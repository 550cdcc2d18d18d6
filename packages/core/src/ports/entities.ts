import type { JsonObject } from './json.ts'
import type { SearchDocument } from './text.ts'

/**
 * A branch: the history that an entity is part of. `packageId` null is the main branch of the
 * repository; otherwise it is the branch of that package, on which main is visible with the
 * package's changes over it.
 */
export interface Branch {
  readonly repositoryId: string
  readonly packageId: string | null
}

/**
 * A branch of a repository that shows published content: one, or in a repository with locales one for
 * each. It is a projection: derived from main, never merged, and not charged. Package ids have a
 * prefix (`PACK_`), so no package has its id.
 */
export interface PublishedBranch extends Branch {
  readonly packageId: typeof publishedBranchId | `${typeof publishedBranchId}:${string}`
}

/** How the id of every `PublishedBranch` begins. */
export const publishedBranchId = 'published'

/** The kinds of versioned entities. A new kind is one entry in `entityKinds`. */
export type EntityKind = (typeof entityKinds)[number]

/** All kinds, sorted by name. */
export const entityKinds = [
  'category',
  'folder',
  'item',
  'page',
  'publication',
  'section',
  'site',
  'taxonomy',
] as const

/** The user who made a change, in the form of specification 2.3. */
export interface UserRef {
  readonly userName: string
  readonly displayName: string
  readonly email: string
}

/**
 * Role ids that limit access to an entity beyond the permission keys; an empty list means no limit.
 */
export interface EntityRoles {
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly delete: readonly string[]
}

/** The content of one version of an entity. Immutable once written. */
export interface Snapshot {
  /**
   * The content type of an item. The site's id for a site and its sections, pages and publications.
   * For all other kinds, the name of the kind.
   */
  readonly type: string
  readonly name: string
  /** Unique among the live entities of one kind on a branch; null for kinds without slugs. */
  readonly slug: string | null
  /** The folder, parent section or parent category. */
  readonly parentId: string | null
  readonly roles: EntityRoles
  /** All other members of the kind: description, custom values, category ids, order… */
  readonly body: JsonObject
}

/** One stored version. */
export interface EntityVersion extends Snapshot {
  readonly kind: EntityKind
  readonly id: string
  /**
   * Numbered 1, 2, 3… without gaps on the branch it was written on. When a package first changes an
   * entity of main, its numbers continue from main's newest at that time.
   */
  readonly version: number
  /** Unix ms at which this version was saved. */
  readonly savedDate: number
  readonly savedBy: UserRef
}

/**
 * The state of main's head when the package first changed the entity, or last synced it: the base
 * of its merge.
 */
export interface Base {
  readonly version: number
  readonly publishedVersion: number | null
  readonly archived: boolean
  readonly deleted: boolean
}

/** What is public of an item in one locale. */
export type LocalePublication = {
  readonly version: number
  /** Unix ms at which it was published. */
  readonly date: number
  /** In a package: whether that is what main publishes, and nothing that a merge changes. */
  readonly inherited?: true
}

/** What is public of an item, by locale. */
export type Publications = Readonly<Record<string, LocalePublication>>

/**
 * The head of an entity on the branch it was last written on, as visible from the branch that is
 * read.
 */
export interface Entity extends Snapshot {
  readonly repositoryId: string
  /**
   * The branch that holds this head. Null for main, also when a package that has not changed the
   * entity reads it.
   */
  readonly packageId: string | null
  readonly kind: EntityKind
  readonly id: string
  /** The number of the newest version on that branch. */
  readonly version: number
  /**
   * Grows by one with every write of the head, including writes that do not make a version
   * (publish, archive).
   */
  readonly revision: number
  /**
   * In a package: the state of main's head that the changes started from. Null on main and for
   * entities that the package created.
   */
  readonly base: Base | null
  /** Null if no version is published; the newest of them if locales have different ones. */
  readonly publishedVersion: number | null
  /** What is public in each locale, by its code. Absent: `publishedVersion`, in all locales. */
  readonly publications?: Publications | undefined
  /**
   * In a package: whether the published version is one of main, and not one on the package's own
   * branch. Always false on main.
   */
  readonly inheritsPublished: boolean
  /**
   * In a package: the read roles of main's head of the item, even if that is deleted; absent if it has
   * none. Whoever may not read the item on main may not read it in a package. Stores add it to the heads
   * that they find by id, slug or edge; they do not store it. Lists and searches apply it themselves.
   */
  readonly mainReaders?: readonly string[] | undefined
  readonly archived: boolean
  /** Unix ms of the soft delete; null while the entity is live. */
  readonly deletedDate: number | null
  readonly createdDate: number
  readonly createdBy: UserRef
  readonly updatedDate: number
  readonly updatedBy: UserRef
  /** Unix ms of the last publish; null when nothing is published. */
  readonly publishedDate: number | null
  /** The JSON text sent to callers, stored so that a read does not have to serialize anything. */
  readonly json: string
}

/** Names the content of a head: its JSON is the same as long as these members are. */
export type HeadState = Pick<Entity, 'repositoryId' | 'packageId' | 'id' | 'revision'>

/**
 * The members of a head that lists and reads by slug return: the JSON that is sent, and what
 * decides whether it may be sent. The other members cost more to read than all of these together;
 * `get` and `getMany` return the whole head.
 */
export type StoredJson = Pick<
  Entity,
  | 'repositoryId'
  | 'packageId'
  | 'kind'
  | 'id'
  | 'type'
  | 'name'
  | 'version'
  | 'revision'
  | 'roles'
  | 'mainReaders'
  | 'deletedDate'
  | 'json'
>

/** A head without its content: enough to see what a branch changed. */
export type OwnHead = Omit<Entity, 'body' | 'json'>

/** A value for filters and sorts, with its path below `fields` (`price`, `seo.title`). */
export interface IndexedValue {
  readonly path: string
  /**
   * Null means that a single value is absent, so that a sort by this field still includes the
   * entity.
   */
  readonly value: string | number | boolean | null
}

/** An edge from the entity to another. */
export interface Edge {
  /** Path below `fields`, or `categories`, or `parent`. */
  readonly path: string
  readonly targetId: string
  /**
   * What deleting the target does: `restrict` refuses the deletion, `unset` removes the value,
   * `ignore` leaves it.
   */
  readonly onDelete: 'restrict' | 'unset' | 'ignore'
}

/** A head to be written, with its derived rows. */
export interface EntityWrite extends Entity {
  /**
   * Unix ms from which its state counts (see `moment`). Publishing does not change `updatedDate`,
   * so this can be later. Default: `updatedDate`.
   */
  readonly writtenDate?: number
  readonly values: readonly IndexedValue[]
  readonly edges: readonly Edge[]
  /** What full-text search indexes for this entity; null: nothing. */
  readonly search: SearchDocument | null
  /**
   * Hashes of the blobs that this version needs; they are retained as long as the version is.
   * Default: none.
   */
  readonly blobs?: readonly string[]
  /**
   * Bytes of those blobs that the previous head did not have: charged to this version in addition
   * to its text. Default: 0.
   */
  readonly fileBytes?: number
  /**
   * Whether this write is the consequence of a deletion: it is charged, but does not count against
   * a quota (see `UsageChange.adds`). Default: whether the head is deleted.
   */
  readonly givesBack?: boolean
}

/** An edge with the entity that holds it. */
export interface GraphEdge extends Edge {
  readonly sourceKind: EntityKind
  readonly sourceId: string
}

/** Selects edges that start at some entities, or that point at them. */
export interface EdgeQuery {
  readonly end: 'source' | 'target'
  /** At most 1 000. */
  readonly ids: readonly string[]
  /** 1 to 10 000. */
  readonly limit: number
  /** Only edges after this one in the result's order: the last edge of the previous page. */
  readonly after?: Pick<GraphEdge, 'sourceId' | 'targetId' | 'path'>
}

/** An edge with the entity that holds it, as found from its target. */
export interface IncomingEdge extends Edge {
  readonly source: Entity
}

/** The state of an entity from `from` on. Reading the past needs it in addition to the versions. */
export interface EntityMoment {
  readonly from: number
  readonly version: number
  readonly publishedVersion: number | null
  readonly publishedDate: number | null
  readonly archived: boolean
  readonly deleted: boolean
}
