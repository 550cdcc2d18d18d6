import type { Call } from '../call/call.ts'
import { startOf } from '../lines/heads.ts'
import type { Landing } from '../lines/line-kind.ts'
import { isSame } from '../merge/same.ts'
import type { Entity, Transaction } from '../ports/index.ts'
import { asContent, contentOf, snapshotOf, typeOf } from './content.ts'
import type { StructureKind } from './kind.ts'
import { requireFreeName } from './siblings.ts'
import { writeHead } from './write.ts'

/** How a kind writes what comes from another line: see `LineKind.land`. Errors: `name_taken`. */
export function landingOf(rules: StructureKind) {
  return async (call: Call, tx: Transaction, landing: Landing): Promise<Entity> => {
    const { place, previous, origin, marks, events, details } = landing
    const start = startOf(place, { previous, origin })
    const said = landing.content && asContent(rules, landing.content)
    const isNew = start.version === 0 || (said !== null && !isSame(said, contentOf(start)))
    const version = start.version + Number(isNew)
    const savedNow = { updatedDate: call.now, updatedBy: call.identity.ref }
    const head: Entity = {
      ...start,
      ...(said && isNew && { ...snapshotOf(typeOf(rules, start.id, said), said), ...savedNow }),
      version,
      revision: start.revision + 1,
      ...marks(version),
    }
    const standing = { rules, id: head.id, content: contentOf(head) }
    if (said && head.deletedDate === null) await requireFreeName(tx.entities, place.line, standing)
    const packageName = place.package?.name ?? null
    return writeHead(call, tx, { rules, head, packageName, events, details: { name: head.name, ...details } })
  }
}
