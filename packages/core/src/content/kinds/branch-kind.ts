import type { ChangedEntity, Issue, JournalEvent, PermissionKey } from '@quire/contract'
import type { Target } from '../../engine/access/permissions.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { Strategy } from '../merge/merge.ts'
import type { Entity, EntityKind, JsonObject, Branch, Snapshot, Transaction } from '../../ports/index.ts'
import type { Scope } from '../../engine/scope.ts'

/** A reference in a content. */
export interface ContentTarget {
  readonly path: string
  readonly kind: EntityKind
  readonly id: string
  /**
   * Whether a save is rejected if the target is absent. Otherwise it may be absent, but not
   * deleted.
   */
  readonly required: boolean
}

/** A value that must be unique and that another entity already has. */
export interface ValueInUse {
  readonly path: string
  readonly holderId: string
  /** The matching entry of `BranchKind.claims`. */
  readonly claim: string
}

/** A change to apply to a branch. */
export interface AppliedChange {
  readonly scope: Scope
  /** The head that is visible on the branch; null if there is none. */
  readonly previous: Entity | null
  /** The head that the change comes from. It supplies the id, the type and the creator. */
  readonly origin: Entity
  /** The new content. Null: only the state changes. */
  readonly content: JsonObject | null
  /** Whether the content is a version even if it is the same as before. Default: no. */
  readonly isVersion?: boolean
  /** Returns the new state of the head, given its version number. */
  readonly state: (version: number) => Partial<Entity>
  readonly events: readonly JournalEvent[]
  /** Further details for the journal. */
  readonly details: JsonObject
}

/** The type of an entity, and the repository that it is in. */
export interface TypeUse {
  readonly type: string
  readonly repositoryId: string
}

/** How entities of a kind are archived and published. */
export interface KindStates {
  readonly events: {
    readonly [E in 'archived' | 'unarchived' | 'published' | 'unpublished']: JournalEvent
  }
  /** The permission key for publishing. */
  readonly publishKey: PermissionKey
  /** Whether entities of the type can be published at all. */
  isPublishable(call: Call, of: TypeUse): Promise<boolean>
  /** What would prevent publishing a head now. */
  publishIssues(call: Call, head: Entity): Promise<readonly Issue[]>
}

/** How entities of a kind form a tree: `parentId` names the parent of each. */
export interface KindTree {
  /** Whether an entity may have a given parent: both must belong to the same tree. */
  fits(content: JsonObject, parent: JsonObject): boolean
}

/**
 * What packages need to know about a kind of entity. The concept to which the kind belongs declares
 * it once; then packages can contain, compare, merge, sync and revert entities of the kind.
 */
export interface BranchKind {
  readonly kind: ChangedEntity['kind']
  /** The events that a merge records for it. */
  readonly events: { readonly [E in 'created' | 'updated' | 'deleted' | 'restored']: JournalEvent }
  /** The permission keys for reading, creating, changing and deleting it. */
  readonly keys: { readonly [K in 'read' | 'create' | 'update' | 'delete']: PermissionKey }
  /** The target for which these keys must be held. */
  target(head: { readonly repositoryId: string; readonly type: string }): Target
  /** Null for kinds that cannot be archived or published. */
  readonly states: KindStates | null
  /** Null for kinds without parents of the same kind. */
  readonly tree: KindTree | null
  /** The member that must be unique among siblings. Null for kinds without siblings. */
  readonly namedBy: 'name' | 'slug' | null
  /** The content of a version by member. `slug` is its address, if the kind has one. */
  content(version: Snapshot): JsonObject
  /** The roles that may read a content. Empty: no restriction. */
  readers(content: JsonObject): readonly string[]
  /** The merge strategy of each path. */
  strategies(call: Call, of: TypeUse): Promise<(path: string) => Strategy>
  /** The references in a content. */
  targets(call: Call, of: TypeUse, content: JsonObject): Promise<readonly ContentTarget[]>
  /** The problems that prevent a content from being saved. */
  issues(call: Call, of: TypeUse, content: JsonObject): Promise<readonly Issue[]>
  /** What must be unique on a branch, as one text each: the address and the unique values. */
  claims(call: Call, of: TypeUse, content: JsonObject): Promise<readonly string[]>
  /** Members whose conflicts can only be resolved with `ours` or `theirs`, not with a value. */
  readonly bySideOnly: readonly string[]
  /**
   * The problems with the shape of a content that contains a given value. Does not check its
   * meaning.
   */
  shapeIssues(content: JsonObject): readonly Issue[]
  /** The unique values in a content that other entities on the branch already have. */
  inUse(
    call: Call,
    at: { scope: Scope; id: string; type: string; content: JsonObject },
  ): Promise<readonly ValueInUse[]>
  /** Writes a content or a state as the next head of the branch. */
  apply(call: WriteCall, change: AppliedChange): Promise<Entity>
  /**
   * Called when a head is removed from a branch without a write: invalidates what was cached from
   * its name.
   */
  forgetName(store: Transaction, branch: Branch): Promise<void>
}
