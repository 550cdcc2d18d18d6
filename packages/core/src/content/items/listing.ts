import { limits, type Contract, type ParsedOf, type OutputOf } from '@quire/contract'
import { readerFor } from '../../engine/access/permissions.ts'
import { remember, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import { type Scope, findScope } from '../../engine/scope.ts'
import { comparableFields } from '../types/derived.ts'
import { filterOf, queryNames, sortOf, type QueryNames } from './query.ts'
import { Serialized, type Answer } from '../../engine/answer.ts'
import { isPicked, pick, type Picking } from './pick.ts'
import { sentItems, sentTexts } from './serialize.ts'
import {
  type EntityPage,
  type EntityQuery,
  type Filter,
  type PageCursor,
  type Reader,
  type Branch,
  type TextQuery,
  type TextTerm,
  type EntityReader,
  type StoredJson,
} from '../../ports/index.ts'
import { meets, textQueryOf, wordsOf } from '../../adapters/words.ts'

type Input = ParsedOf<Contract['items']['list']>

const defaultSort = '-updatedDate'

/** What a list of items asks. */
type ListInput = Omit<Input, 'configId' | 'packageName'>

/** A list on a branch: which names count, and what must hold of every item beside what is asked. */
export interface Listing {
  readonly scope: Scope
  readonly input: ListInput
  /** Members that may be filtered and sorted by. Default: all. */
  readonly members?: ReadonlySet<string>
  readonly always?: Filter
}

/** A page of a branch, with the cursor of the next. Errors: `invalid`. */
export async function pageOn(
  call: Call,
  listing: Listing,
): Promise<{ page: EntityPage; nextCursor: string | undefined }> {
  return listPage(call, listing, await entityQueryOf(call, listing))
}

/** The same of a query that was made of the listing. */
export async function listPage(
  call: Call,
  { scope, input }: Listing,
  query: EntityQuery,
): Promise<{ page: EntityPage; nextCursor: string | undefined }> {
  const sort = input.sort ?? defaultSort
  const page = await call.store.entities.list(scope.branch, {
    ...query,
    ...(input.cursor !== undefined && { after: cursorOf(input.cursor, sort) }),
  })
  // Who adds up offsets would miss the items that a page had no room for.
  if (input.offset !== undefined && page.next && page.entities.length < query.limit)
    throw invalid([
      { path: 'offset', message: 'is not for items as long as these: go on by cursor, or ask for fewer' },
    ])
  return { page, nextCursor: page.next && encodeCursor({ sort, ...page.next }) }
}

/** What a listing asks of the store, but for its place in the list. Errors: `invalid`. */
export async function entityQueryOf(call: Call, listing: Listing): Promise<EntityQuery> {
  const { scope, input, members } = listing
  if (input.offset !== undefined && input.cursor !== undefined)
    throw invalid([
      { path: 'offset', message: 'is not for a cursor, which says where it goes on: send one of them' },
    ])
  const { reader, names: all } = await namesOn(call, scope, input.type)
  const names = namesAmong(all, members)
  const filter = await filtersOf(call, listing, names)
  return {
    kind: 'item',
    reader,
    ...(filter && { filter }),
    ...(input.text !== undefined && { text: await searchedText(call, scope.branch, input.text) }),
    archived: input.archived ?? false,
    sort: sortOf(names, input.sort ?? defaultSort),
    limit: input.limit ?? limits.pageDefault,
    mostText: limits.pageText,
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
  { repository }: Scope,
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
  { scope, input, always }: Listing,
  names: QueryNames,
): Promise<Filter | undefined> {
  const filters: Filter[] = always ? [always] : []
  if (input.type !== undefined) filters.push({ field: { member: 'type' }, op: 'eq', value: input.type })
  if (input.folderId !== undefined) {
    const folders = input.recursive
      ? await foldersWithin(call.store.entities, scope.branch, input.folderId)
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

// Categories that one word finds. At twice, a search for a common beginning looks up twice as many; at half, fewer items are found by them.
const mostCategories = 50

// Categories of a branch whose names are kept in memory, about 200 bytes each; of a branch with more, each word is a search of its own.
const mostCached = 1000

/**
 * What people type, as a branch of items is searched by it: an item is found by the names of its categories too. The names are looked up now
 * and stand in no document of an item, so that to rename a category writes no item.
 */
async function searchedText(call: Call, branch: Branch, text: string): Promise<TextQuery> {
  const { terms } = textQueryOf(text)
  if (terms.length === 0) return { terms }
  const stored = await storedCategories(call, branch)
  const find = stored
    ? async (term: TextTerm) => namedIn(stored, term)
    : (term: TextTerm) => seek(call, branch, term)
  const withIds = async (term: TextTerm): Promise<TextTerm> => ({ ...term, categories: await find(term) })
  return { terms: await Promise.all(terms.map(withIds)) }
}

/** A category by the words of its name. */
interface NamedCategory {
  readonly id: string
  readonly words: readonly string[]
}

const everybody = { types: 'all', roles: 'all' } as const

/** All categories of a branch, or null when they are too many. Kept until a category is written, which touches the record `structure`. */
function storedCategories(call: Call, branch: Branch): Promise<readonly NamedCategory[] | null> {
  const key = `category-words:${branch.repositoryId}:${branch.packageId}`
  return remember(call, key, async () => {
    const { entities, next } = await call.store.entities.list(branch, {
      kind: 'category',
      reader: everybody,
      archived: false,
      sort: [],
      limit: mostCached,
      count: false,
    })
    return next ? null : entities.map(({ id, name }) => ({ id, words: wordsOf(name) }))
  })
}

function namedIn(stored: readonly NamedCategory[], term: TextTerm): string[] {
  const named = stored.filter(({ words }) => meets(words, term))
  return named.slice(0, mostCategories).map(({ id }) => id)
}

async function seek(call: Call, branch: Branch, term: TextTerm): Promise<string[]> {
  // What of a category meets the term: its name comes before all else (see `SearchPage`).
  const { entities } = await call.store.entities.search(branch, {
    kind: 'category',
    reader: everybody,
    text: { terms: [term] },
    archived: false,
    limit: mostCategories,
    count: false,
  })
  return entities.filter(({ name }) => meets(wordsOf(name), term)).map(({ id }) => id)
}

/** A folder and all below it, by id. Errors: `invalid` past 500 folders: list one by one, or without `recursive`. */
async function foldersWithin(entities: EntityReader, branch: Branch, folderId: string): Promise<string[]> {
  const reached = new Set([folderId])
  let level = [folderId]
  while (level.length > 0) {
    const children = await entities.list(branch, {
      kind: 'folder',
      reader: { types: 'all', roles: 'all' },
      filter: { field: { member: 'parentId' }, op: 'in', value: level },
      archived: true,
      sort: [],
      limit: limits.inList + 1,
      count: false,
    })
    level = children.entities.map(({ id }) => id).filter((id) => !reached.has(id))
    for (const id of level) reached.add(id)
    if (reached.size > limits.inList)
      throw invalid([{ path: 'recursive', message: `more than ${limits.inList} folders` }])
  }
  return [...reached]
}

type List = Contract['items']['list']
type ListItemsInput = ParsedOf<List>

/**
 * Items that match, that the caller may read, in order (DESIGN "Conventions of the API").
 * Errors: `not_found` for the repository or package; `invalid` naming unknown fields, operators, members and cursors.
 */
export async function listItems(call: Call, input: ListItemsInput): Promise<Answer<OutputOf<List>>> {
  const scope = await findScope(call, input)
  const {
    page: { entities, count },
    nextCursor,
  } = await pageOn(call, { scope, input })
  const about = { ...(count !== undefined && { count }), ...(nextCursor && { nextCursor }) }
  return serializeItems(call, { scope, entities, input, about })
}

/** Items to be answered, with what a list says of them. */
interface ItemPage {
  readonly scope: Scope
  readonly entities: readonly StoredJson[]
  /** What is asked of each. */
  readonly input: Picking
  /** The other members of the answer. */
  readonly about: Readonly<Record<string, unknown>>
}

/** A page of items: as text, what is kept of each as it is sent, unless members are picked. Errors: `invalid` naming unknown members. */
export async function serializeItems(
  call: Call,
  { scope, entities, input, about }: ItemPage,
): Promise<Answer<OutputOf<List>>> {
  if (!isPicked(input)) return serializePage(await sentTexts(call, scope.branch, entities), about)
  const items = await sentItems(call, scope.branch, entities)
  return { ...about, items: await pick(call, { scope, items, input }) }
}

function serializePage(texts: readonly string[], about: ItemPage['about']): Serialized<OutputOf<List>> {
  const members = JSON.stringify(about).slice(0, -1)
  return new Serialized(`${members}${members === '{' ? '' : ','}"items":[${texts.join(',')}]}`, null)
}
