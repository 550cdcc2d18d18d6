import type { Entity, EntityWrite } from '@quire/core/ports'
import { encodeValue } from '../query/encode-value.ts'
import type { EntityWrites } from './write-statements.ts'

/** Where the derived rows of an entity belong. */
export interface HeadKey {
  readonly head: number
  readonly branch: number
}

/** Writes what lists and references find a live head by. */
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

/** Writes values that lists find a live head by, beside those that it has. */
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

/** Removes what insertDerived wrote for a head that was live. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.send({ head })
  await writes.deleteEdges.send({ head })
  await writes.deleteRoles.send({ head })
}
