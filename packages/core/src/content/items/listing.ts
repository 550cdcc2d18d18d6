import { limits, type Contract, type ParsedOf } from '@quire/contract'
import { readerFor } from '../../engine/access/permissions.ts'
import type { AnswerTags } from '../../engine/cache-tags/answer-tags.ts'
import { remember, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import { type Scope } from '../../engine/scope.ts'
import { localesOf, viewIn } from '../../engine/locales.ts'
import { searchedLocales } from '../locales/search.ts'
import { comparableIn } from '../locales/comparable.ts'
import { typeIn } from '../types/find.ts'
import { filterOf, queryNames, sortOf, type QueryNames } from './query.ts'
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
} from '../../ports/index.ts'
import { meets, textQueryOf, wordsOf } from '../../adapters/words.ts'

type Input = ParsedOf<Contract['items']['list']>

const defaultSort = '-updatedDate'

/** The input of a list, without its scope. */
type ListInput = Omit<Input, 'configId' | 'packageName'>

/** A list of items on a branch. */
export interface Listing {
  readonly scope: Scope
  readonly input: ListInput
  /** Members that filters and sorts may use. Default: all. */
  readonly members?: ReadonlySet<string>
  /** A condition on every item, in addition to those in the input. */
  readonly always?: Filter
}

/** Reads one page of a list, with the cursor of the next page. Errors: `invalid`. */
export async function pageOn(
  call: Call,
  listing: Listing,
): Promise<{ page: EntityPage; nextCursor: string | undefined }> {
  return listPage(call, listing, await entityQueryOf(call, listing))
}

/**
 * Reads one page of a list, given the query that `entityQueryOf` made for it. Errors: `invalid`.
 */
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
  // A page of long items can be shorter than its limit. A caller who adds the limit to the offset
  // would then skip items.
  if (input.offset !== undefined && page.next && page.entities.length < query.limit)
    throw invalid([
      {
        path: 'offset',
        message:
          'cannot be used because the items are too long for one page: use a cursor or a smaller limit',
      },
    ])
  return { page, nextCursor: page.next && encodeCursor({ sort, ...page.next }) }
}

/** The store's query for a list, without the cursor. Errors: `invalid`. */
export async function entityQueryOf(call: Call, listing: Listing): Promise<EntityQuery> {
  const { scope, input, members } = listing
  if (input.offset !== undefined && input.cursor !== undefined)
    throw invalid([{ path: 'offset', message: 'cannot be combined with cursor: send only one of them' }])
  if (call.cacheTags) dependOnList(call.cacheTags, input)
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

/** What a list depends on besides the items in it. */
function dependOnList(tags: AnswerTags, { type, recursive, text, filter, sort }: Listing['input']): void {
  tags.list(type)
  if (recursive) tags.also('folders')
  // Fields of content types decide what a filter or sort means, and whether it is valid.
  if (filter !== undefined || sort?.includes('fields.')) tags.also('types')
  // The index of words is also written by jobs, which report no change.
  if (text !== undefined) tags.refuse()
}

/** The names of the given members and of all fields. Without `members`: all names. */
export function namesAmong(all: QueryNames, members: ReadonlySet<string> | undefined): QueryNames {
  if (!members) return all
  return new Map([...all].filter(([name]) => name.startsWith('fields.') || members.has(name)))
}

/**
 * Which items of a repository the caller may read, and which names it may use in queries: those of
 * the types that it may read, or of one of these types.
 */
export async function namesOn(
  call: Call,
  { repository }: Scope,
  type: string | undefined,
): Promise<{ reader: Reader; names: QueryNames }> {
  const reader = readerFor(call.identity.permissions, 'items.read', repository.id)
  return { reader, names: await namesFor(call, { reader, type, repositoryId: repository.id }) }
}

interface NamesFor {
  readonly reader: Reader
  readonly type: string | undefined
  readonly repositoryId: string
}

async function namesFor(call: Call, { reader, type, repositoryId }: NamesFor): Promise<QueryNames> {
  const locales = await localesOf(call, repositoryId)
  const view = locales && viewIn(call, locales)
  const inLocale = locales ? `${repositoryId}:${view ? view.chain.join() : '*'}` : ''
  const key = `query-names:${inLocale}:${type ?? ''}:${reader.types === 'all' ? '*' : reader.types.join(',')}`
  return remember(call, key, async () => {
    const types = await call.store.records.list('type')
    const readable = types.filter(({ name }) => reader.types === 'all' || reader.types.includes(name))
    const named = type === undefined ? readable : readable.filter(({ name }) => name === type)
    const stored = await Promise.all(named.map((one) => typeIn(call, one, repositoryId)))
    return queryNames(stored.map((one) => comparableIn(one, view)))
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
    filters.push(folderFilter(folders))
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

/** Uses `eq` for a single folder, because then an index returns its items in order. */
function folderFilter(folders: readonly string[]): Filter {
  const [only] = folders
  const field = { member: 'parentId' } as const
  return folders.length === 1 && only !== undefined
    ? { field, op: 'eq', value: only }
    : { field, op: 'in', value: folders }
}

// Categories that one word can match. At twice, a search for a common prefix looks up twice as
// many; at half, fewer items are found by their categories.
const maxCategories = 50

// Categories of a branch that are cached, about 200 bytes each. On a branch with more of them each
// word needs its own search.
const maxCached = 1000

/**
 * Converts the text that a person typed to a query. An item is also found by the names of its
 * categories. These are looked up now and are not part of the indexed document, so that renaming a
 * category does not write items.
 */
async function searchedText(call: Call, branch: Branch, text: string): Promise<TextQuery> {
  const { terms } = textQueryOf(text)
  if (terms.length === 0) return { terms }
  const locales = await searchedLocales(call, branch.repositoryId)
  const stored = await cachedCategories(call, branch)
  const find = stored
    ? async (term: TextTerm) => categoriesMatching(stored, term)
    : (term: TextTerm) => searchCategories(call, branch, term)
  const withIds = async (term: TextTerm): Promise<TextTerm> => ({ ...term, categories: await find(term) })
  return { terms: await Promise.all(terms.map(withIds)), ...(locales.length > 0 && { locales }) }
}

/** A category with the words of its name. */
interface NamedCategory {
  readonly id: string
  readonly words: readonly string[]
}

const everybody = { types: 'all', roles: 'all' } as const

/**
 * All categories of a branch, or null if there are too many. Cached until a category is written,
 * which updates the `structure` record.
 */
function cachedCategories(call: Call, branch: Branch): Promise<readonly NamedCategory[] | null> {
  const key = `category-words:${branch.repositoryId}:${branch.packageId}`
  return remember(call, key, async () => {
    const { entities, next } = await call.store.entities.list(branch, {
      kind: 'category',
      reader: everybody,
      archived: false,
      sort: [],
      limit: maxCached,
      count: false,
    })
    return next ? null : entities.map(({ id, name }) => ({ id, words: wordsOf(name) }))
  })
}

function categoriesMatching(stored: readonly NamedCategory[], term: TextTerm): string[] {
  const named = stored.filter(({ words }) => meets(words, term))
  return named.slice(0, maxCategories).map(({ id }) => id)
}

async function searchCategories(call: Call, branch: Branch, term: TextTerm): Promise<string[]> {
  // Categories whose name matches come first (see `SearchPage`). Matches elsewhere are filtered
  // out.
  const { entities } = await call.store.entities.search(branch, {
    kind: 'category',
    reader: everybody,
    text: { terms: [term] },
    archived: false,
    limit: maxCategories,
    count: false,
  })
  return entities.filter(({ name }) => meets(wordsOf(name), term)).map(({ id }) => id)
}

/**
 * The ids of a folder and of all folders in it, at any depth. Errors: `invalid` for more than 500
 * folders.
 */
export async function foldersWithin(
  entities: EntityReader,
  branch: Branch,
  folderId: string,
): Promise<string[]> {
  const reached = new Set([folderId])
  let level = [folderId]
  while (level.length > 0) {
    const children = await entities.list(branch, {
      kind: 'folder',
      reader: everybody,
      filter: { field: { member: 'parentId' }, op: 'in', value: level },
      archived: true,
      sort: [],
      limit: limits.inList + 1,
      count: false,
    })
    level = children.entities.map(({ id }) => id).filter((id) => !reached.has(id))
    for (const id of level) reached.add(id)
    if (reached.size > limits.inList)
      throw invalid([
        { path: 'recursive', message: `covers more than ${limits.inList} folders: list them separately` },
      ])
  }
  return [...reached]
}
