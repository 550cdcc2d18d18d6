import type { Issue } from '@quire/contract'
import { liveHeads } from '../lines/heads.ts'
import type { EntityReader, Line } from '../ports/index.ts'

/** An issue for each id that is no category on the line. */
export async function categoryIssues(
  entities: EntityReader,
  line: Line,
  ids: readonly string[],
): Promise<Issue[]> {
  if (ids.length === 0) return []
  const found = await liveHeads(entities, line, { kind: 'category', ids })
  return ids.flatMap((id, index) =>
    found.has(id) ? [] : [{ path: `categories.${index}`, message: `there is no category "${id}"` }],
  )
}
