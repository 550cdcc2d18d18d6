import type { EntityWrite } from '@quire/core/ports'
import { encodeValue } from '../query/encode-value.ts'
import type { EntityWrites } from './write-statements.ts'

/** Where the derived rows of an entity belong. */
export interface HeadPlace {
  readonly head: number
  readonly line: number
}

/** Writes what lists and references find a live head by. */
export async function insertDerived(
  writes: EntityWrites,
  entity: EntityWrite,
  { head, line }: HeadPlace,
): Promise<void> {
  const { kind, id, type, createdDate, updatedDate, roles, values, edges } = entity
  const limited = Number(roles.read.length > 0)
  const marks = { limited, archived: Number(entity.archived) }
  const same = { line, kind, id, type, createdDate, updatedDate, head, ...marks }
  for (const { path, value } of values)
    await writes.insertValue.run({ ...same, path, value: encodeValue(value) })
  for (const { path, targetId, onDelete } of edges)
    await writes.insertEdge.run({ line, id, head, path, targetId, onDelete })
  for (const role of roles.read) await writes.insertRole.run({ head, role })
}

/** Removes what insertDerived wrote for a head that was live. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.run({ head })
  await writes.deleteEdges.run({ head })
  await writes.deleteRoles.run({ head })
}
