import type { Call } from '../../call/call.ts'
import type { Place } from '../../lines/lines.ts'
import { ownPages } from '../own-heads.ts'

/** Ids of what a package changes that pages may show, of items that refer to such items or categories, and of sites whose tree it changes. */
export async function touchedBy({ store }: Call, { line }: Place): Promise<ReadonlySet<string>> {
  const own: string[] = []
  const referred: string[] = []
  for await (const heads of ownPages(store.entities, line))
    for (const { kind, id, type } of heads) {
      // Pages show no folders.
      if (kind !== 'folder') own.push(id)
      // What stands in a site touches all of it.
      if (kind === 'site' || kind === 'section' || kind === 'page') own.push(type)
      if (kind === 'item' || kind === 'category') referred.push(id)
    }
  const edges = await store.entities.edges(line, {
    end: 'target',
    ids: referred.slice(0, 1000),
    limit: 10_000,
  })
  return new Set([...own, ...edges.map(({ sourceId }) => sourceId)])
}
