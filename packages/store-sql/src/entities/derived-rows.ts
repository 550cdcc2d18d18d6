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
    await writes.insertValue.send({ ...same, path, value: encodeValue(value) })
  for (const { path, targetId, onDelete } of edges)
    await writes.insertEdge.send({ line, id, head, path, targetId, onDelete })
  for (const role of roles.read) await writes.insertRole.send({ head, role })
}

/** Removes what insertDerived wrote for a head that was live. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.send({ head })
  await writes.deleteEdges.send({ head })
  await writes.deleteRoles.send({ head })
}
