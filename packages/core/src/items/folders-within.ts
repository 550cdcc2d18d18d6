import { limits } from '@quire/contract'
import { invalid } from '../call/check-input.ts'
import type { EntityReader, Line } from '../ports/index.ts'

/** A folder and all below it, by id. Errors: `invalid` past 500 folders: list one by one, or without `recursive`. */
export async function foldersWithin(entities: EntityReader, line: Line, folderId: string): Promise<string[]> {
  const reached = new Set([folderId])
  let level = [folderId]
  while (level.length > 0) {
    const children = await entities.list(line, {
      kind: 'folder',
      reader: { types: 'all', roles: 'all' },
      filter: { field: { member: 'parentId' }, op: 'in', value: level },
      archived: true,
      sort: [],
      limit: limits.inList + 1,
      count: false,
    })
    level = children.entities.map(({ id }) => id).filter((id) => !reached.has(id))
    for (const id of level) reached.add(id)
    if (reached.size > limits.inList)
      throw invalid([{ path: 'recursive', message: `more than ${limits.inList} folders` }])
  }
  return [...reached]
}
