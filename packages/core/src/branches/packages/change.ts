import type { ChangedEntity, ChangeKind, PackageChange } from '@quire/contract'
import {
  isSameSide,
  type Side,
  type EntityMerge,
  type EntityConflict,
  valueAt,
} from '../../content/merge/entity.ts'
import { branchRulesOf } from './kinds.ts'
import { hasMainMoved, type ChangeSides } from './sides.ts'
import type { Call } from '../../engine/call.ts'
import type { Scope } from '../../engine/scope.ts'
import type { OwnHead, JsonObject } from '../../ports/index.ts'

/** The changed entity, as serialized in responses. */
export function changedEntity({ kind: ownKind, id, name, type, slug }: OwnHead): ChangedEntity {
  const { kind } = branchRulesOf(ownKind)
  // The heads of other kinds have there what they belong to.
  return { kind, id, name, type: kind === 'item' ? type : kind, slug }
}

/** The kind of change that leads from one side to another. */
export function changeKind(before: Side | null, after: Side | null): ChangeKind {
  const [was, is] = [before !== null && !before.deleted, after !== null && !after.deleted]
  if (was !== is) {
    if (was) return 'delete'
    return before ? 'restore' : 'create'
  }
  if (!before || !after || !is) return 'none'
  return isSameSide(before, after) ? 'none' : 'update'
}

/** A change of a package, as serialized in responses. */
export function serializeChange(sides: ChangeSides): PackageChange {
  const { head, mainHead, base, ours } = sides
  return {
    entity: changedEntity(head),
    kind: changeKind(base, ours),
    version: head.version,
    baseVersion: head.base?.version ?? null,
    mainVersion: mainHead && mainHead.deletedDate === null ? mainHead.version : null,
    mainMoved: hasMainMoved(sides),
    updatedDate: head.updatedDate,
    updatedByUser: head.updatedBy,
  }
}

/** A change with its merge result on main. */
export interface PlannedChange extends ChangeSides, EntityMerge {}

/** All changes of a package, and main, which they are checked against. */
export interface ChangeSet {
  readonly call: Call
  readonly main: Scope
  /** By `refKey`. */
  readonly changes: ReadonlyMap<string, PlannedChange>
}

/** A conflict in one member of the merged content. */
export function conflictAt(
  { base, theirs }: PlannedChange,
  { kind, path, content }: Pick<EntityConflict, 'kind' | 'path'> & { readonly content: JsonObject },
): EntityConflict {
  const at = (side: Side | null) => (side ? valueAt(side.content, path) : null)
  return { path, kind, base: at(base), ours: valueAt(content, path), theirs: at(theirs) }
}
