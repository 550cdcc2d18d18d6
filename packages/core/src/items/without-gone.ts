import { liveHeads } from '../lines/heads.ts'
import type { EntityReader, Line } from '../ports/index.ts'
import type { ItemContent } from './content.ts'

/** A content of before without the categories and the folder that were deleted meanwhile; the very content when nothing was. */
export async function withoutGone(
  entities: EntityReader,
  line: Line,
  content: ItemContent,
): Promise<ItemContent> {
  const { categories, folderId } = content
  const live = await liveHeads(entities, line, { kind: 'category', ids: categories })
  const isGone = folderId !== null && !(await isLiveFolder(entities, line, folderId))
  const left = categories.filter((id) => live.has(id))
  if (!isGone && left.length === categories.length) return content
  return { ...content, categories: left, folderId: isGone ? null : folderId }
}

async function isLiveFolder(entities: EntityReader, line: Line, id: string): Promise<boolean> {
  const folder = await entities.get(line, 'folder', id)
  return folder !== null && folder.deletedDate === null
}
