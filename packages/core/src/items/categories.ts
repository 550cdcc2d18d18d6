import type { Issue, Item } from '@quire/contract'
import type { Entity, EntityReader, Line } from '../ports/index.ts'

/** The categories of ids by taxonomy, as items show them, and an issue for each id that is no category on the line. */
export async function categoriesOf(
  entities: EntityReader,
  line: Line,
  ids: readonly string[],
): Promise<{ taxonomies: Item['taxonomies']; issues: Issue[] }> {
  if (ids.length === 0) return { taxonomies: [], issues: [] }
  const found = await live(entities, { line, kind: 'category', ids })
  const issues = ids.flatMap((id, index) =>
    found.has(id) ? [] : [{ path: `categories.${index}`, message: `there is no category "${id}"` }],
  )
  const groups = Map.groupBy(
    ids.flatMap((id) => found.get(id) ?? []),
    taxonomyOf,
  )
  const names = await live(entities, { line, kind: 'taxonomy', ids: [...groups.keys()] })
  const taxonomies = [...groups].map(([id, categories]) => ({
    id,
    name: names.get(id)?.name ?? id,
    categories: categories.map((category) => ({ id: category.id, name: category.name })),
  }))
  return { taxonomies, issues }
}

function taxonomyOf({ body }: Entity): string {
  return typeof body['taxonomyId'] === 'string' ? body['taxonomyId'] : ''
}

async function live(
  entities: EntityReader,
  { line, kind, ids }: { line: Line; kind: 'category' | 'taxonomy'; ids: readonly string[] },
) {
  const found = await entities.getMany(line, kind, [...new Set(ids)])
  return new Map(found.filter(({ deletedDate }) => deletedDate === null).map((entity) => [entity.id, entity]))
}
