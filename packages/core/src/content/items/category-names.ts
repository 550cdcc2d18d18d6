import type { Item } from '@quire/contract'
import { remember, type Call } from '../../engine/call.ts'
import type { Entity, Branch } from '../../ports/index.ts'
import { liveHeads } from '../kinds/heads.ts'

/** A category and its taxonomy, as items show them. */
export interface NamedCategory {
  readonly id: string
  readonly name: string
  readonly taxonomy: { readonly id: string; readonly name: string }
}

/** What categories of a branch are called; null: there is no such category. */
type CategoryNames = ReadonlyMap<string, NamedCategory | null>

// Of one branch. About 200 bytes each: past it they are looked up anew.
const mostCached = 20_000

/**
 * What some categories of a branch are called. Kept until a record changes: whoever writes a category or a taxonomy touches the repository's
 * record `structure` for that.
 */
export async function categoryNames(
  call: Call,
  branch: Branch,
  ids: readonly string[],
): Promise<CategoryNames> {
  const key = `category-names:${branch.repositoryId}:${branch.packageId}`
  const known = await remember(call, key, async () => new Map<string, NamedCategory | null>())
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return known
  const found = await lookUp(call, branch, unknown)
  if (known.size > mostCached) return new Map([...pick(known, ids), ...found])
  for (const [id, named] of found) known.set(id, named)
  return known
}

function pick(known: CategoryNames, ids: readonly string[]): [string, NamedCategory | null][] {
  return ids.flatMap((id) => {
    const named = known.get(id)
    return named === undefined ? [] : [[id, named]]
  })
}

async function lookUp(call: Call, branch: Branch, ids: readonly string[]): Promise<CategoryNames> {
  const { entities } = call.store
  const found = await liveHeads(entities, branch, { kind: 'category', ids })
  const taxonomyIds = [...found.values()].map(taxonomyIdOf)
  const taxonomies = await liveHeads(entities, branch, { kind: 'taxonomy', ids: taxonomyIds })
  const named = (category: Entity | undefined): NamedCategory | null => {
    const taxonomy = category && taxonomies.get(taxonomyIdOf(category))
    if (!category || !taxonomy) return null
    return { id: category.id, name: category.name, taxonomy: { id: taxonomy.id, name: taxonomy.name } }
  }
  return new Map(ids.map((id) => [id, named(found.get(id))]))
}

function taxonomyIdOf({ body }: Entity): string {
  return typeof body['taxonomyId'] === 'string' ? body['taxonomyId'] : ''
}

/** The categories of an item by taxonomy, as it shows them (specification 2.4), without those that are gone. */
export function taxonomiesOf(ids: readonly string[], names: CategoryNames): Item['taxonomies'] {
  const found = ids.flatMap((id) => names.get(id) ?? [])
  return [...Map.groupBy(found, ({ taxonomy }) => taxonomy.id).values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return [{ ...first.taxonomy, categories: group.map(({ id, name }) => ({ id, name })) }]
  })
}
