import { limits, type Contract, type ParsedOf } from '@quire/contract'
import { readerFor } from '../access/permissions.ts'
import { remember, type Call } from '../call/call.ts'
import { badCursor, decodeCursor, encodeCursor } from '../call/paging.ts'
import type { Place } from '../lines/lines.ts'
import type { EntityPage, EntityQuery, Filter, PageCursor, Reader } from '../ports/index.ts'
import { comparableFields } from '../types/derived.ts'
import { foldersWithin } from './folders-within.ts'
import { filterOf, queryNames, sortOf, type QueryNames } from './query.ts'
import { searchedText } from './text-query.ts'

type Input = ParsedOf<Contract['items']['list']>

const defaultSort = '-updatedDate'

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
  return listPage(call, listing, await entityQueryOf(call, listing))
}

/** The same of a query that was made of the listing. */
export async function listPage(
  call: Call,
  { place, input }: Listing,
  query: EntityQuery,
): Promise<{ page: EntityPage; nextCursor: string | undefined }> {
  const sort = input.sort ?? defaultSort
  const page = await call.store.entities.list(place.line, {
    ...query,
    ...(input.cursor !== undefined && { after: cursorOf(input.cursor, sort) }),
  })
  return { page, nextCursor: page.next && encodeCursor({ sort, ...page.next }) }
}

/** What a listing asks of the store, but for its place in the list. Errors: `invalid`. */
export async function entityQueryOf(call: Call, listing: Listing): Promise<EntityQuery> {
  const { place, input, members } = listing
  const { reader, names: all } = await namesOn(call, place, input.type)
  const names = namesAmong(all, members)
  const filter = await filtersOf(call, listing, names)
  return {
    kind: 'item',
    reader,
    ...(filter && { filter }),
    ...(input.text !== undefined && { text: await searchedText(call, place.line, input.text) }),
    archived: input.archived ?? false,
    sort: sortOf(names, input.sort ?? defaultSort),
    limit: input.limit ?? limits.pageDefault,
    ...(input.offset !== undefined && { offset: input.offset }),
    count: input.skipCount !== true,
  }
}

/** The names of some members, and of all fields. Without members: all. */
export function namesAmong(all: QueryNames, members: ReadonlySet<string> | undefined): QueryNames {
  if (!members) return all
  return new Map([...all].filter(([name]) => name.startsWith('fields.') || members.has(name)))
}

/** Which items of a place the caller may read, and the names that it may use: those of the types it may read, or of one of them. */
export async function namesOn(
  call: Call,
  { repository }: Place,
  type: string | undefined,
): Promise<{ reader: Reader; names: QueryNames }> {
  const reader = readerFor(call.identity.permissions, 'items.read', repository.id)
  return { reader, names: await namesFor(call, { reader, type }) }
}

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
    filters.push(inFolders(folders))
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

/** One folder is asked for as one: its items come in the order of an index. */
function inFolders(folders: readonly string[]): Filter {
  const [only] = folders
  const field = { member: 'parentId' } as const
  return folders.length === 1 && only !== undefined
    ? { field, op: 'eq', value: only }
    : { field, op: 'in', value: folders }
}
