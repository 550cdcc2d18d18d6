import type { JsonObject } from './json.ts'
import type { SearchDocument } from './text.ts'

/**
 * A branch: the history an entity lives on. `packageId` null is the main branch of the repository,
 * else the branch of that package, which shows main with the package's changes over it.
 */
export interface Branch {
  readonly repositoryId: string
  readonly packageId: string | null
}

/** The kinds of versioned entity. A new kind costs one word here. */
export type EntityKind = (typeof entityKinds)[number]

/** All kinds, in the order of their names. */
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

/** Who made a change, as specification 2.3 shows people. */
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
  /** The content type of an item; the id of its site for what sites are made of, and for a site its own; the kind's own name for everything else. */
  readonly type: string
  readonly name: string
  /** Unique among the live entities of one kind on a branch; null for kinds without addresses. */
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
  /** 1, 2, 3… on the branch it was written on, without gap; in a package that took it in from main on from main's newest number then. */
  readonly version: number
  /** Unix ms at which this version was saved. */
  readonly savedDate: number
  readonly savedBy: UserRef
}

/** What main's head was when a package took the entity in, or was last brought up to it: the base of its merge. */
export interface Base {
  readonly version: number
  readonly publishedVersion: number | null
  readonly archived: boolean
  readonly deleted: boolean
}

/** The head of an entity on the branch it was last written on, as seen from the branch that was asked. */
export interface Entity extends Snapshot {
  readonly repositoryId: string
  /** The branch that holds this head: null for main even when read through a package that left it alone. */
  readonly packageId: string | null
  readonly kind: EntityKind
  readonly id: string
  /** The number of the newest version on that branch. */
  readonly version: number
  /** Grows by one with every write of the head, also by those that make no version (publish, archive). */
  readonly revision: number
  /** In a package: what main's head was when it was taken in; null on main and for what the package created. */
  readonly base: Base | null
  /** In a package -n stands for version n of main: what is published there and not on the package's own branch. It is shown as n. */
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
  readonly json: string
}

/**
 * A head as lists and reads by slug give it: what is sent, and what decides whether. The rest of a head costs more to read than
 * these together: `get` and `getMany` give it whole.
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
  | 'deletedDate'
  | 'json'
>

/** A head without what it says: enough to tell what a branch changed. */
export type OwnHead = Omit<Entity, 'body' | 'json'>

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
  /** Unix ms of this write, from when on its marks count (see `moment`): publishing leaves `updatedDate` alone. Default: `updatedDate`. */
  readonly writtenDate?: number
  readonly values: readonly IndexedValue[]
  readonly edges: readonly Edge[]
  /** What full-text search finds this entity by; null: nothing. */
  readonly search: SearchDocument | null
  /** Hashes of the blobs that this version needs; they are kept for as long as the version is. Default: none. */
  readonly blobs?: readonly string[]
  /** Bytes of the files among them that the head before did not have: what this version is charged beside its text. Default: 0. */
  readonly fileBytes?: number
  /** Whether it follows from a deletion: it is charged, and not held against a quota (see `UsageChange.adds`). Default: whether the head is deleted. */
  readonly givesBack?: boolean
}

/** An edge with the entity that holds it. */
export interface GraphEdge extends Edge {
  readonly sourceKind: EntityKind
  readonly sourceId: string
}

/** Which edges of a graph: those that start at, or point at, some entities. */
export interface EdgeQuery {
  readonly end: 'source' | 'target'
  /** At most 1 000. */
  readonly ids: readonly string[]
  /** 1 to 10 000. */
  readonly limit: number
  /** Only those after this one in that order: where the page before ended. */
  readonly after?: Pick<GraphEdge, 'sourceId' | 'targetId' | 'path'>
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
