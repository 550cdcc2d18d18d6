import { limits, type Item } from '@quire/contract'
import { liveHeads } from '../kinds/heads.ts'
import { serializeAsset } from './asset.ts'
import { cardOf, contentOf } from './content.ts'
import { remember, type Call } from '../../engine/call.ts'
import type { Entity, EntityVersion, LocalePublication, UserRef, Branch } from '../../ports/index.ts'
import { isHeadPublished } from '../../adapters/published.ts'
import { isSame } from '../../engine/same.ts'

/**
 * The state of an item against which a version is serialized: the current state, or that of another
 * time.
 */
export interface ItemState {
  readonly latestVersion: number
  readonly publishedVersion: number | null
  readonly publishedDate: number | null
  readonly archived: boolean
  readonly publications?: Readonly<Record<string, LocalePublication>>
}

/** The members of an item that come neither from its snapshot nor from its state. */
export interface ItemContext {
  readonly packageName: string | null
  readonly versionHistory: Item['versionHistory']
}

/**
 * An item as it is stored. Instead of its taxonomies it has the ids of its categories, as the last
 * member. Their names are looked up on the branch being read (see `serializeHead`), so that a
 * renamed category is visible at once without writing items.
 */
type StoredItem = Omit<Item, 'taxonomies'> & { readonly taxonomies: readonly string[] }

/** The state of a head. */
export function stateOf(head: Entity): ItemState {
  const { version, publishedVersion, publishedDate, archived, publications } = head
  const state = { latestVersion: version, publishedVersion, publishedDate, archived }
  return publications ? { ...state, publications: asVisible(publications) } : state
}

/** Publications without the mark that a package gives to those of main. */
function asVisible(publications: NonNullable<Entity['publications']>): NonNullable<Entity['publications']> {
  const visible = Object.entries(publications).map(([code, { version, date }]) => [code, { version, date }])
  return Object.fromEntries(visible)
}

/** Whether two states are equal. */
export function isSameState(one: ItemState, other: ItemState): boolean {
  return isSame({ ...one }, { ...other })
}

/**
 * Serializes one version of an item for storage
 * (specification 2.4; DESIGN "Items, versions, status").
 */
export function serializeItem(
  head: Entity,
  visible: EntityVersion,
  { state, context }: { state: ItemState; context: ItemContext },
): StoredItem {
  const content = contentOf(visible)
  const isPublishedVersion = isHeadPublished({ ...state, version: visible.version })
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
    // The store takes and returns JSON.
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
    ...(state.publications && { publications: state.publications }),
    // Must be last: a sent item starts with the stored text and differs only from here on.
    taxonomies: content.categories,
  }
}

/** The status of a head. */
export function headStatus(head: Entity): Item['status'] {
  return statusOf(stateOf(head), isHeadPublished(head))
}

function statusOf({ archived }: ItemState, isPublishedVersion: boolean): Item['status'] {
  if (archived) return 'archived'
  return isPublishedVersion ? 'published' : 'draft'
}

/** Adds a version in front of the history, which holds only the newest versions. */
export function withVersion(
  history: Item['versionHistory'],
  { version, date, user }: { version: number; date: number; user: UserRef },
): Item['versionHistory'] {
  return [{ version, updatedDate: date, updatedByUser: user }, ...history].slice(0, limits.versionHistory)
}

/** Parses the stored JSON of a head. */
export function storedItem({ json }: Pick<Entity, 'json'>): StoredItem {
  return JSON.parse(json)
}

/** The context with which a head was last serialized. */
export function contextOf(head: Entity): ItemContext {
  const { packageName, versionHistory } = storedItem(head)
  return { packageName, versionHistory }
}

/** A category and its taxonomy, with the names that items show. */
export interface NamedCategory {
  readonly id: string
  readonly name: string
  readonly taxonomy: { readonly id: string; readonly name: string }
}

/** Categories of a branch with their names, by id. Null if there is no such category. */
type CategoryNames = ReadonlyMap<string, NamedCategory | null>

// Names of one branch in memory, about 200 bytes each. Beyond this number no more are cached.
const maxCached = 20_000

/**
 * Looks up the names of categories on a branch. The names are cached until a record changes. Every
 * write of a category or a taxonomy updates the repository's `structure` record for this purpose.
 */
export async function categoryNames(
  call: Call,
  branch: Branch,
  ids: readonly string[],
): Promise<CategoryNames> {
  const names = await namesOnBranch(call, branch, ids)
  if (call.cacheTags) for (const id of ids) call.cacheTags.category(names.get(id))
  return names
}

async function namesOnBranch(call: Call, branch: Branch, ids: readonly string[]): Promise<CategoryNames> {
  const key = `category-names:${branch.repositoryId}:${branch.packageId}`
  const known = await remember(call, key, async () => new Map<string, NamedCategory | null>())
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length === 0) return known
  const found = await findNames(call, branch, unknown)
  if (known.size > maxCached) return new Map([...entriesOf(known, ids), ...found])
  for (const [id, named] of found) known.set(id, named)
  return known
}

function entriesOf(known: CategoryNames, ids: readonly string[]): [string, NamedCategory | null][] {
  return ids.flatMap((id) => {
    const named = known.get(id)
    return named === undefined ? [] : [[id, named]]
  })
}

async function findNames(call: Call, branch: Branch, ids: readonly string[]): Promise<CategoryNames> {
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

/**
 * Groups the categories of an item by taxonomy (specification 2.4). Leaves out categories that no
 * longer exist.
 */
export function taxonomiesOf(ids: readonly string[], names: CategoryNames): Item['taxonomies'] {
  const found = ids.flatMap((id) => names.get(id) ?? [])
  return [...Map.groupBy(found, ({ taxonomy }) => taxonomy.id).values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    return [{ ...first.taxonomy, categories: group.map(({ id, name }) => ({ id, name })) }]
  })
}
