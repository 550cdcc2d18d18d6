import { limits, type Item } from '@quire/contract'
import { publishedNumber, liveHeads } from '../kinds/heads.ts'
import { serializeAsset } from './asset.ts'
import { cardOf, contentOf } from './content.ts'
import { remember, type Call } from '../../engine/call.ts'
import type { Entity, EntityVersion, UserRef, Branch } from '../../ports/index.ts'

/** The marks of an item that what is shown is seen against: today's, or those of another time. */
export interface ItemState {
  readonly latestVersion: number
  readonly publishedVersion: number | null
  readonly publishedDate: number | null
  readonly archived: boolean
}

/** What an item shows beside its own snapshot and marks. */
export interface ItemContext {
  readonly packageName: string | null
  readonly versionHistory: Item['versionHistory']
}

/**
 * An item as it is kept: in place of its taxonomies the ids of its categories, as its last member. Their names are those of the branch that is
 * read, when it is read (see `serializeHead`): a rename shows at once on every branch and writes no item.
 */
type StoredItem = Omit<Item, 'taxonomies'> & { readonly taxonomies: readonly string[] }

/** The marks of a head. */
export function stateOf(head: Entity): ItemState {
  const { version, publishedVersion, publishedDate, archived } = head
  return { latestVersion: version, publishedVersion, publishedDate, archived }
}

/** Whether both are the same in every mark. */
export function isSameState(one: ItemState, other: ItemState): boolean {
  const state = Object.keys(one) as (keyof ItemState)[]
  return state.every((state) => one[state] === other[state])
}

/** One version of an item as it is kept to be sent (specification 2.4; DESIGN "Items, versions, status"). */
export function serializeItem(
  head: Entity,
  visible: EntityVersion,
  { state, context }: { state: ItemState; context: ItemContext },
): StoredItem {
  const content = contentOf(visible)
  const isPublishedVersion = visible.version === publishedNumber(state)
  return {
    id: head.id,
    repositoryId: head.repositoryId,
    name: content.name,
    type: visible.type,
    slug: content.slug,
    slugSearch: content.slug.replaceAll('-', ' '),
    description: content.description,
    status: statusOf(state, isPublishedVersion),
    folderId: content.folderId,
    packageName: context.packageName,
    // The store keeps JSON and answers JSON.
    fields: content.fields as Item['fields'],
    currentVersion: visible.version,
    latestVersion: state.latestVersion,
    isArchived: state.archived,
    isPublished: state.publishedVersion !== null,
    isPreview: !isPublishedVersion,
    isLatest: visible.version === state.latestVersion,
    isLatestPublished: isPublishedVersion,
    createdDate: head.createdDate,
    updatedDate: visible.savedDate,
    publishedDate: state.publishedDate,
    readPerm: [...content.readPerm],
    writePerm: [...content.writePerm],
    deletePerm: [...content.deletePerm],
    createdByUser: head.createdBy,
    updatedByUser: visible.savedBy,
    ...serializeAsset(content.asset, {
      repositoryId: head.repositoryId,
      packageName: context.packageName,
      id: head.id,
    }),
    cardPreview: cardOf(visible),
    versionHistory: context.versionHistory,
    // The last: what is sent begins as what is kept.
    taxonomies: content.categories,
  }
}

/** The status of a head. */
export function headStatus(head: Entity): Item['status'] {
  return statusOf(stateOf(head), head.publishedVersion === head.version)
}

function statusOf({ archived }: ItemState, isPublishedVersion: boolean): Item['status'] {
  if (archived) return 'archived'
  return isPublishedVersion ? 'published' : 'draft'
}

/** The newest versions with one more in front. */
export function withVersion(
  history: Item['versionHistory'],
  { version, date, user }: { version: number; date: number; user: UserRef },
): Item['versionHistory'] {
  return [{ version, updatedDate: date, updatedByUser: user }, ...history].slice(0, limits.versionHistory)
}

/** What is kept to be sent of a head. */
export function storedItem({ json }: Pick<Entity, 'json'>): StoredItem {
  return JSON.parse(json)
}

/** What a head was last sent with. */
export function contextOf(head: Entity): ItemContext {
  const { packageName, versionHistory } = storedItem(head)
  return { packageName, versionHistory }
}

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
