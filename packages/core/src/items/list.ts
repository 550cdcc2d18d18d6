import { limits, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { readerFor } from '../access/permissions.ts'
import { Presented, type Answer } from '../call/answer.ts'
import { remember, type Call } from '../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { EntityPage, EntityQuery, Filter, PageCursor, Reader } from '../ports/index.ts'
import { comparableFields } from '../types/derived.ts'
import { foldersWithin } from './folders-within.ts'
import { isPicked, pick } from './pick.ts'
import { filterOf, queryNames, sortOf, type QueryNames } from './query.ts'

type List = Contract['items']['list']
type Input = ParsedOf<List>

const defaultSort = '-updatedDate'

/**
 * Items that match, that the caller may read, in order (DESIGN "Conventions of the API").
 * Errors: `not_found` for the repository or package; `invalid` naming unknown fields, operators, members and cursors.
 */
export async function listItems(call: Call, input: Input): Promise<Answer<OutputOf<List>>> {
  const place = await findPlace(call, input)
  const { page, nextCursor } = await pageOn(call, { place, input })
  if (!isPicked(input)) return presentPage(page, nextCursor)
  const items = page.entities.map(({ presentation }): Item => JSON.parse(presentation))
  const picked = await pick(call, { place, items, input })
  return {
    ...(page.count !== undefined && { count: page.count }),
    items: picked,
    ...(nextCursor && { nextCursor }),
  }
}

/** What a list of items asks. */
export type ListInput = Omit<Input, 'configId' | 'packageName'>

/** A list on a line: which names count, and what must hold of every item beside what is asked. */
export interface Listing {
  readonly place: Place
  readonly input: ListInput
  /** Members that may be filtered and sorted by. Default: all. */
  readonly members?: ReadonlySet<string>
  readonly always?: Filter
}

/** A page of a line, with the cursor of the next. Errors: `invalid`. */
export async function pageOn(
  call: Call,
  listing: Listing,
): Promise<{ page: EntityPage; nextCursor: string | undefined }> {
  const sort = listing.input.sort ?? defaultSort
  const page = await call.store.entities.list(listing.place.line, await queryOf(call, listing, sort))
  return { page, nextCursor: page.next && encodeCursor({ sort, ...page.next }) }
}

/** The page as text: the stored presentations as they are. */
function presentPage(
  { entities, count }: EntityPage,
  nextCursor: string | undefined,
): Presented<OutputOf<List>> {
  const head = count === undefined ? '' : `"count":${count},`
  const tail = nextCursor === undefined ? '' : `,"nextCursor":"${nextCursor}"`
  const items = entities.map(({ presentation }) => presentation).join(',')
  return new Presented(`{${head}"items":[${items}]${tail}}`, null)
}

async function queryOf(call: Call, listing: Listing, sort: string): Promise<EntityQuery> {
  const { place, input, members } = listing
  const reader = readerFor(call.identity.permissions, 'items.read', place.repository.id)
  const all = await namesFor(call, { reader, type: input.type })
  const names = members
    ? new Map([...all].filter(([name]) => name.startsWith('fields.') || members.has(name)))
    : all
  const filter = await filtersOf(call, listing, names)
  return {
    kind: 'item',
    reader,
    ...(filter && { filter }),
    ...(input.text !== undefined && { text: input.text }),
    archived: input.archived ?? false,
    sort: sortOf(names, sort),
    limit: input.limit ?? limits.pageDefault,
    ...(input.offset !== undefined && { offset: input.offset }),
    ...(input.cursor !== undefined && { after: cursorOf(input.cursor, sort) }),
    count: input.skipCount !== true,
  }
}

/** The names that this caller may use: those of the types it may read, or of the one type asked for. */
function namesFor(
  call: Call,
  { reader, type }: { reader: Reader; type: string | undefined },
): Promise<QueryNames> {
  const key = `query-names:${type ?? ''}:${reader.types === 'all' ? '*' : reader.types.join(',')}`
  return remember(call, key, async () => {
    const types = await call.store.records.list('type')
    const readable = types.filter(({ name }) => reader.types === 'all' || reader.types.includes(name))
    const named = type === undefined ? readable : readable.filter(({ name }) => name === type)
    return queryNames(named.map(({ fields }) => comparableFields(fields)))
  })
}

async function filtersOf(
  call: Call,
  { place, input, always }: Listing,
  names: QueryNames,
): Promise<Filter | undefined> {
  const filters: Filter[] = always ? [always] : []
  if (input.type !== undefined) filters.push({ field: { member: 'type' }, op: 'eq', value: input.type })
  if (input.folderId !== undefined) {
    const folders = input.recursive
      ? await foldersWithin(call.store.entities, place.line, input.folderId)
      : [input.folderId]
    filters.push({ field: { member: 'parentId' }, op: 'in', value: folders })
  }
  if (input.filter !== undefined) filters.push(filterOf(names, input.filter))
  return filters.length === 0 ? undefined : { all: filters }
}

function cursorOf(text: string, sort: string): PageCursor {
  const cursor = decodeCursor(text)
  if (!isCursor(cursor) || cursor.sort !== sort) throw badCursor()
  if (cursor.values.length !== sort.split(',').filter((part) => part !== '').length) throw badCursor()
  return { values: cursor.values, id: cursor.id }
}

function isCursor(value: unknown): value is PageCursor & { sort: string } {
  if (typeof value !== 'object' || value === null) return false
  const { sort, values, id } = value as Partial<PageCursor & { sort: string }>
  return (
    typeof sort === 'string' && typeof id === 'string' && Array.isArray(values) && values.every(isCursorValue)
  )
}

function isCursorValue(value: unknown): boolean {
  return (
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  )
}
