import type { Entity, EntityWrite } from '@quire/core/ports'
import { listText } from '../list-text.ts'
import { encodeValue } from '../query/encode-value.ts'
import type { EntityWrites } from './write-statements.ts'

/** The head that derived rows belong to. */
export interface HeadKey {
  readonly head: number
  readonly branch: number
}

/**
 * Writes the rows that lists and references use to find a live head. The read roles of a deleted one
 * stay, because they still limit who may read the same item in a package.
 */
export async function insertDerived(
  writes: EntityWrites,
  entity: EntityWrite,
  scope: HeadKey,
): Promise<void> {
  const { id, roles, edges } = entity
  const { head, branch } = scope
  for (const role of roles.read) await writes.insertRole.send({ head, role })
  if (entity.deletedDate !== null) return
  await insertValues(writes, entity, scope)
  for (const { path, targetId, onDelete } of edges)
    await writes.insertEdge.send({ branch, id, head, path, targetId, onDelete })
}

/** Writes additional field values for a live head. */
export async function insertValues(
  writes: EntityWrites,
  { values, ...entity }: Entity & Pick<EntityWrite, 'values'>,
  { head, branch }: HeadKey,
): Promise<void> {
  const { kind, id } = entity
  const same = { branch, kind, id, head, ...stateOf(entity) }
  for (const { path, value } of values)
    await writes.insertValue.send({ ...same, path, value: encodeValue(value) })
}

/** What each value of a head repeats of it, so that lists by a value need no other row. */
function stateOf({ type, createdDate, updatedDate, roles, archived }: Entity) {
  const limited = Number(roles.read.length > 0)
  return { type, createdDate, updatedDate, limited, archived: Number(archived) }
}

/**
 * Deletes the rows of a live head that the entity does not have in the same form; all of them where
 * that costs less. `updatedDate`: the stored date of the head. Each value repeats it, so a save
 * writes all values again, and publishing none.
 */
export async function deleteOutdated(
  writes: EntityWrites,
  entity: EntityWrite,
  { head, updatedDate }: { readonly head: number; readonly updatedDate: number },
): Promise<void> {
  const { deleteOthers } = writes
  if (!deleteOthers || entity.deletedDate !== null) return deleteDerived(writes, head)
  const { values, edges, roles } = entity
  if (entity.updatedDate === updatedDate) {
    const remaining = values.map(({ path, value }) => [path, encodeValue(value)])
    await deleteOthers.values.send({ head, ...stateOf(entity), remaining: listText(remaining) })
  } else await writes.deleteValues.send({ head })
  const targets = edges.map(({ path, targetId, onDelete }) => [path, targetId, onDelete])
  await deleteOthers.edges.send({ head, remaining: listText(targets) })
  await deleteOthers.roles.send({ head, remaining: listText(roles.read) })
}

/** Deletes the rows that insertDerived wrote. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.send({ head })
  await writes.deleteEdges.send({ head })
  await writes.deleteRoles.send({ head })
}
