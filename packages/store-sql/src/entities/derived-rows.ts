import type { EntityWrite } from '@quire/core/ports'
import { encodeValue } from '../query/encode-value.ts'
import { foldText } from '../query/fold-text.ts'
import { searchScope } from '../query/source.ts'
import type { EntityWrites } from './write-statements.ts'

/** Where the derived rows of an entity belong. */
export interface HeadPlace {
  readonly head: number
  readonly line: number
}

/** Writes what lists, search and references find a live head by. */
export async function insertDerived(
  writes: EntityWrites,
  entity: EntityWrite,
  { head, line }: HeadPlace,
): Promise<void> {
  const { kind, id, type, createdDate, updatedDate, roles, values, edges, searchText } = entity
  const limited = Number(roles.read.length > 0)
  if (values.length > 0) {
    const rows = values.map(({ path, value }) => [path, encodeValue(value)])
    const same = {
      line,
      kind,
      id,
      type,
      createdDate,
      updatedDate,
      head,
      limited,
      archived: Number(entity.archived),
    }
    await writes.insertValues.run({ ...same, values: JSON.stringify(rows) })
  }
  if (edges.length > 0) {
    const rows = edges.map(({ path, targetId, onDelete }) => [path, targetId, onDelete])
    await writes.insertEdges.run({ line, id, head, edges: JSON.stringify(rows) })
  }
  if (limited) await writes.insertRoles.run({ head, roles: JSON.stringify(roles.read.map((role) => [role])) })
  if (searchText !== '') {
    await writes.insertSearch.run({ head, scope: searchScope(line, kind), words: foldText(searchText) })
  }
}

/** Removes what insertDerived wrote for a head that was live. */
export async function deleteDerived(writes: EntityWrites, head: number): Promise<void> {
  await writes.deleteValues.run({ head })
  await writes.deleteEdges.run({ head })
  await writes.deleteRoles.run({ head })
  await writes.deleteSearch.run({ head })
}
