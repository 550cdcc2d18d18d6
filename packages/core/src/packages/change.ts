import type { ChangedEntity, ChangeKind, PackageChange } from '@quire/contract'
import { isSameSide, type Side } from '../merge/entity.ts'
import type { OwnHead } from '../ports/index.ts'
import { rulesOf } from './kinds.ts'
import { hasMainMoved, type ChangeSides } from './sides.ts'

/** What a change is about, as it is answered. */
export function changedEntity({ kind, id, name, type, slug }: OwnHead): ChangedEntity {
  return { kind: rulesOf(kind).kind, id, name, type, slug }
}

/** What leads from one side to another. */
export function changeKind(before: Side | null, after: Side | null): ChangeKind {
  const [was, is] = [before !== null && !before.deleted, after !== null && !after.deleted]
  if (was !== is) {
    if (was) return 'delete'
    return before ? 'restore' : 'create'
  }
  if (!before || !after || !is) return 'none'
  return isSameSide(before, after) ? 'none' : 'update'
}

/** A change of a package as it is answered. */
export function presentChange(sides: ChangeSides): PackageChange {
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
