import type { WriteCall } from '../../engine/call.ts'
import { dateAfter, startOf } from '../kinds/heads.ts'
import type { AppliedChange } from '../kinds/branch-kind.ts'
import { isSame } from '../../engine/same.ts'
import type { Entity } from '../../ports/index.ts'
import { asContent, contentOf, snapshotOf, typeOf } from './content.ts'
import type { StructureKind } from './kind.ts'
import { requireFreeName } from './siblings.ts'
import { writeHead } from './write.ts'

/** How a kind writes what comes from another branch: see `BranchKind.apply`. Errors: `name_taken`. */
export function changeOf(rules: StructureKind) {
  return async (call: WriteCall, change: AppliedChange): Promise<Entity> => {
    const { scope, previous, origin, state, events, details } = change
    const start = startOf(scope, { previous, origin })
    const given = change.content && asContent(rules, change.content)
    const isNew = start.version === 0 || (given !== null && !isSame(given, contentOf(start)))
    const version = start.version + Number(isNew)
    const savedNow = { updatedDate: dateAfter(call, start), updatedBy: call.identity.ref }
    const head: Entity = {
      ...start,
      ...(given && isNew && { ...snapshotOf(typeOf(rules, start.id, given), given), ...savedNow }),
      version,
      revision: start.revision + 1,
      ...state(version),
    }
    const standing = { rules, id: head.id, content: contentOf(head) }
    if (given && head.deletedDate === null) await requireFreeName(call.store.entities, scope.branch, standing)
    const packageName = scope.package?.name ?? null
    return writeHead(call, { rules, head, packageName, events, details: { name: head.name, ...details } })
  }
}
