import { contract, parseAs, QueryFilter, type ContentType, type QueryFilterInput } from '@quire/contract'
import { valueOf } from '../../engine/answer.ts'
import { checkInput, invalid } from '../../engine/check-input.ts'
import { noSuchItem } from '../../content/items/find.ts'
import { namesAmong, namesOn, pageOn } from '../../content/items/listing.ts'
import { knownItems } from '../../content/items/serialize.ts'
import type { Filter } from '../../ports/index.ts'
import { queryFilterOf } from '../../content/queries/filter.ts'
import type { ReadContext } from './context.ts'
import type { GraphItem } from './item-interface.ts'

/** A page of items in an execution. */
export interface GraphPage {
  readonly items: readonly GraphItem[]
  readonly nextCursor: string | undefined
  readonly count: number | undefined
}

/** What is asked of a list. */
export interface ListQuery {
  readonly filter?: QueryFilterInput | undefined
  /** As `items.list` has it. */
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly archived?: boolean | undefined
  readonly isCounted: boolean
}

/** Items of a type, as REST lists them. Errors: `invalid`. */
export async function listOfType(
  reading: ReadContext,
  type: ContentType,
  asked: ListQuery,
): Promise<GraphPage> {
  const { call, scope, members } = reading
  const { filter, isCounted, ...page } = asked
  checkInput(contract.items.list, { configId: scope.repository.id, type: type.name, ...page })
  const always = await alwaysOf(reading, type, filter)
  const input = { type: type.name, ...page, skipCount: !isCounted }
  const listing = { scope, input, ...(members && { members }), ...(always && { always }) }
  const { page: found, nextCursor } = await pageOn(call, listing)
  const items = await knownItems(call, scope.branch, found.entities)
  return { items: items.map((item) => visibleIn(reading, item)), nextCursor, count: found.count }
}

async function alwaysOf(
  { call, scope, members, always }: ReadContext,
  type: ContentType,
  filter: QueryFilterInput | undefined,
): Promise<Filter | undefined> {
  if (!filter) return always
  const { names } = await namesOn(call, scope, type.name)
  const parsed = parseAs(QueryFilter, filter)
  if ('issues' in parsed) throw invalid(parsed.issues)
  const asked = queryFilterOf(namesAmong(names, members), parsed.value)
  return always ? { all: [always, asked] } : asked
}

/** Which item is asked for. */
export interface ItemQuery {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly version?: string | null | undefined
}

/** One item by id or by slug; null: there is none that the caller may read. Errors: `invalid` unless one of the two is given. */
export async function oneItem(
  reading: ReadContext,
  { id, slug, version }: ItemQuery,
): Promise<GraphItem | null> {
  if ((id ?? null) === null && (slug ?? null) === null)
    throw invalid([{ path: 'id', message: 'is required, or slug' }])
  const known = id ?? (await idOfSlug(reading, slug ?? ''))
  const item = known === null ? null : await reading.items.load(known)
  if (!item) return null
  if (version === undefined || version === null) return { ...item, reading }
  if (reading.isPublic) return publishedVersion({ ...item, reading }, version)
  return versionOf(reading, item.id, version)
}

async function idOfSlug({ call, scope: { branch } }: ReadContext, slug: string): Promise<string | null> {
  const head = await call.store.entities.getBySlug(branch, 'item', slug)
  return head?.id ?? null
}

/** The public sees one version. Errors: `not_found` for another. */
function publishedVersion(item: GraphItem, version: string): GraphItem {
  if (['latest', 'latestpublished', String(item.currentVersion)].includes(version)) return item
  throw noSuchItem()
}

/** A version of an item, for whoever works on items. Errors: `invalid`, `not_found`. */
async function versionOf(reading: ReadContext, id: string, version: string): Promise<GraphItem> {
  const { call, scope } = reading
  const ref = { configId: scope.repository.id, ...(scope.package && { packageName: scope.package.name }) }
  const item = valueOf(await call.invoke('items.get', { ...ref, id, version }))
  // Without `select` it is whole.
  return { ...(item as GraphItem), reading }
}

function visibleIn(reading: ReadContext, item: Parameters<ReadContext['view']['serialize']>[0]): GraphItem {
  // What the view leaves out is null in an execution.
  return { ...(reading.view.serialize(item) as GraphItem), reading }
}
