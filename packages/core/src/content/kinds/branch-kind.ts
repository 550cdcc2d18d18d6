import type { ChangedEntity, Issue, JournalEvent, PermissionKey } from '@quire/contract'
import type { Target } from '../../engine/access/permissions.ts'
import type { Call, WriteCall } from '../../engine/call.ts'
import type { Strategy } from '../merge/merge.ts'
import type { Entity, EntityKind, JsonObject, Branch, Snapshot, Transaction } from '../../ports/index.ts'
import type { Scope } from '../../engine/scope.ts'

/** Something that a content refers to. */
export interface ContentTarget {
  readonly path: string
  readonly kind: EntityKind
  readonly id: string
  /** Whether a save is refused without it; else it may be absent, but not deleted. */
  readonly required: boolean
}

/** A value that must be unique and is another's. */
export interface ValueInUse {
  readonly path: string
  readonly holderId: string
  /** Which of the claims of its kind it is. */
  readonly claim: string
}

/** A content on its way to a branch. */
export interface AppliedChange {
  readonly scope: Scope
  /** The head that the branch shows of it; null when it shows none. */
  readonly previous: Entity | null
  /** The head that it comes from: its id, type and maker. */
  readonly origin: Entity
  /** Null: it stays as it is, and only marks change. */
  readonly content: JsonObject | null
  /** The marks of the head, given the version that it will have. */
  readonly state: (version: number) => Partial<Entity>
  readonly events: readonly JournalEvent[]
  /** What the journal keeps beside. */
  readonly details: JsonObject
}

/** How things of a kind are archived and published, and what that says to packages. */
export interface KindStates {
  readonly events: {
    readonly [E in 'archived' | 'unarchived' | 'published' | 'unpublished']: JournalEvent
  }
  /** What lets one publish it. */
  readonly publishKey: PermissionKey
  /** Whether its kind of content is published at all. */
  isPublishable(call: Call, type: string): Promise<boolean>
  /** What would stop a publish of a head as it stands. */
  publishIssues(call: Call, head: Entity): Promise<readonly Issue[]>
}

/** How things of a kind stand in each other: each in what its member `parentId` names. */
export interface KindTree {
  /** Whether something may stand in something: in a tree of its own. */
  fits(content: JsonObject, parent: JsonObject): boolean
}

/**
 * What packages need to know of a kind of entity, declared once by the concept that the kind belongs to. With it the kind can be
 * taken into packages, compared, merged, synced and reverted.
 */
export interface BranchKind {
  readonly kind: ChangedEntity['kind']
  /** The events of what a merge does to it. */
  readonly events: { readonly [E in 'created' | 'updated' | 'deleted' | 'restored']: JournalEvent }
  /** What lets one read, change and delete it. */
  readonly keys: { readonly [K in 'read' | 'update' | 'delete']: PermissionKey }
  /** For what these keys must be held to do something with it. */
  target(head: { readonly repositoryId: string; readonly type: string }): Target
  /** Null for kinds that only are there or not. */
  readonly states: KindStates | null
  /** Null for kinds that stand in nothing of their own. */
  readonly tree: KindTree | null
  /** What no other of its kind beside it is called by; null for kinds that stand beside nothing. */
  readonly calledBy: 'name' | 'slug' | null
  /** What a version says, by member; `slug` is its address, where the kind has one. */
  content(version: Snapshot): JsonObject
  /** The roles that may read a content; empty: no limit. */
  readers(content: JsonObject): readonly string[]
  /** How its members merge. */
  strategies(call: Call, type: string): Promise<(path: string) => Strategy>
  /** What a content refers to. */
  targets(call: Call, type: string, content: JsonObject): Promise<readonly ContentTarget[]>
  /** What of a content cannot be kept. */
  issues(call: Call, type: string, content: JsonObject): Promise<readonly Issue[]>
  /** What no other on a branch may have: its address and its unique values, one text each. */
  claims(call: Call, type: string, content: JsonObject): Promise<readonly string[]>
  /** Members that nobody gives by value: a conflict in them is settled by a side. */
  readonly bySideOnly: readonly string[]
  /** What of a value given for a member cannot be: its form, not its meaning. */
  misshapes(content: JsonObject): readonly Issue[]
  /** Unique values of it that others on the branch have. */
  inUse(
    call: Call,
    at: { scope: Scope; id: string; type: string; content: JsonObject },
  ): Promise<readonly ValueInUse[]>
  /** Writes a content or marks as the next head of the branch. */
  apply(call: WriteCall, change: AppliedChange): Promise<Entity>
  /** A head goes from a branch without another write: ends what is kept of what it was called there. */
  uncover(store: Transaction, branch: Branch): Promise<void>
}
