import type { Entity, EntityWrite } from '@quire/core/ports'
import { encodeValue } from '../query/encode-value.ts'
import type { EntityWrites } from './write-statements.ts'

/** The head that derived rows belong to. */
export interface HeadKey {
  readonly head: number
  readonly branch: number
}

/** Writes the rows that lists and references use to find a live head. */
export async function insertDerived(
  writes: EntityWrites,
  entity: EntityWrite,
  scope: HeadKey,
): Promise<void> {
  const { id, roles, edges } = entity
  const { head, branch } = scope
  await insertValues(writes, entity, scope)
  for (const { path, targetId, onDelete } of edges)
    await writes.insertEdge.send({ branch, id, head, path, targetId, onDelete })
  for (const role of roles.read) await writes.insertRole.send({ head, role })
}

/** Writes additional field values for a live head. */
export async function insertValues(
  writes: EntityWrites,
  { values, ...entity }: Entity & Pick<EntityWrite, 'values'>,
  { head, branch }: HeadKey,
): Promise<void> {
  const { kind, id, type, createdDate, updatedDate, roles } = entity
  const state = { limited: Number(roles.read.length > 0), archived: Number(entity.archived) }
  const same = { branch, kind, id, type, createdDate, updatedDate, head, ...state }
  for (const { path, value } of values)
    await writes.insertValue.send({ ...same, path, value: encodeValue(value) })
}

/** Deletes the rows that insertDerived wrote. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.send({ head })
  await writes.deleteEdges.send({ head })
  await writes.deleteRoles.send({ head })
}
