import { limits, QuireError, type Contract, type Item, type OutputOf, type ParsedOf } from '@quire/contract'
import { meetsFilter } from '../../adapters/filters.ts'
import { mayReadBy } from '../../engine/access/role-lists.ts'
import type { Answer } from '../../engine/answer.ts'
import type { Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../engine/paging.ts'
import type { Scope } from '../../engine/scope.ts'
import { categoriesPath, type Filter, type QueryField, type QueryValue } from '../../ports/index.ts'
import { pastHeads, type PastHead, type PastQuery } from '../kinds/past-heads.ts'
import type { VisibleVersion } from '../kinds/versions.ts'
import { serializeVersion } from './at.ts'
import { contentOf } from './content.ts'
import { namesAmong, namesOn } from './listing.ts'
import { isPicked, pick } from './pick.ts'
import { filterOf } from './query.ts'
import { serializePage } from './serialize.ts'
import { versionNamed } from './versions.ts'

type List = Contract['items']['list']

/** What a list of the past can filter by: the index of values is only about now. */
const filtered = new Set(['id', 'name', 'slug', 'type', 'status', 'folderId', 'categories', 'isPublished'])

/** Entities that one page looks at. The moments of this many take about 0.1 s. */
const mostLooked = 2000

/** A list at a time. */
interface ListAt {
  readonly input: ParsedOf<List>
  /** Unix ms. */
  readonly at: number
}

/**
 * The items that a branch showed at a time, by id. Today's permissions and role lists decide. A
 * page ends when it has looked at enough items, even if few of them match. Errors: `invalid` for
 * filters and sorts that need an index of now, and for a time to come.
 */
export async function listItemsAt(
  call: Call,
  scope: Scope,
  { input, at }: ListAt,
): Promise<Answer<OutputOf<List>>> {
  requirePast(call, { input, at })
  const filter = await filterAt(call, scope, input)
  const { type } = input
  const isWanted: PastQuery['isWanted'] = (head) =>
    (type === undefined || head.type === type) && mayReadBy(call.identity.permissions, 'items.read', head)
  const page = new PageOfPast(input)
  const query = { kind: 'item', at, after: page.isCounted ? '' : page.start, isWanted } as const
  for await (const { id, past } of pastHeads(call, scope.branch, query)) {
    if (page.isFinished) break
    page.add(id, past && (await textAt(call, scope, { input, filter, past })))
  }
  const { texts, about } = page
  if (!isPicked(input)) return serializePage(texts, about)
  const items = texts.map((text): Item => JSON.parse(text))
  return { ...about, items: await pick(call, { scope, items, input }) }
}

/** Collects a page of a list, and counts the others unless the caller declined that. */
class PageOfPast {
  readonly isCounted: boolean
  /** The page begins after this id. */
  readonly start: string
  readonly texts: string[] = []
  readonly #limit: number
  #length = 0
  #looked = 0
  #count = 0
  /** The last id of a full page, and whether something follows. */
  #end: string | null = null
  #hasMore = false

  constructor({ limit = limits.pageDefault, cursor, skipCount }: ParsedOf<List>) {
    this.isCounted = skipCount !== true
    this.start = afterOf(cursor)
    this.#limit = limit
  }

  /** Errors: `invalid` for more items than are counted. */
  add(id: string, text: string | null): void {
    this.#looked += 1
    if (this.isCounted && this.#looked > mostLooked)
      throw invalid([
        { path: 'skipCount', message: `must be true: a list of the past counts at most ${mostLooked} items` },
      ])
    this.#count += Number(text !== null)
    if (id <= this.start) return
    if (this.#end !== null) this.#hasMore ||= text !== null
    else this.#addToPage(id, text)
  }

  #addToPage(id: string, text: string | null): void {
    if (text !== null) this.texts.push(text)
    this.#length += text?.length ?? 0
    const isFull = this.texts.length === this.#limit || this.#length > limits.pageText
    if (isFull || (!this.isCounted && this.#looked === mostLooked)) this.#end = id
  }

  /** Whether nothing more is needed: the page is full and something may follow. */
  get isFinished(): boolean {
    if (this.#end === null || this.isCounted) return false
    this.#hasMore = true
    return true
  }

  /** The members of the answer besides the items. */
  get about(): { count?: number; nextCursor?: string } {
    return {
      ...(this.isCounted && { count: this.#count }),
      ...(this.#end !== null && this.#hasMore && { nextCursor: encodeCursor({ id: this.#end }) }),
    }
  }
}

/** Errors: `invalid`. */
function requirePast(call: Call, { input, at }: ListAt): void {
  if (at > call.now) throw invalid([{ path: 'at', message: 'must be in the past for a list' }])
  const other = (['text', 'sort', 'recursive', 'offset'] as const).find((name) => input[name] !== undefined)
  if (other !== undefined)
    throw invalid([
      { path: other, message: 'cannot be combined with `at`: a list of the past is in the order of ids' },
    ])
}

/** Errors: `invalid` for what a list of the past cannot filter by. */
async function filterAt(call: Call, scope: Scope, input: ParsedOf<List>): Promise<Filter> {
  const wrong = Object.keys(input.filter ?? {}).find((name) => !filtered.has(name))
  if (wrong !== undefined)
    throw invalid([
      {
        path: `filter.${wrong}`,
        message: `cannot be combined with \`at\`: a list of the past filters by ${[...filtered].join(', ')}`,
      },
    ])
  const { names } = await namesOn(call, scope, input.type)
  const given = input.filter === undefined ? [] : [filterOf(namesAmong(names, filtered), input.filter)]
  const { folderId } = input
  const inFolder: Filter[] =
    folderId === undefined ? [] : [{ field: { member: 'parentId' }, op: 'eq', value: folderId }]
  return { all: [...given, ...inFolder] }
}

function afterOf(cursor: string | undefined): string {
  if (cursor === undefined) return ''
  const position = decodeCursor(cursor)
  const id: unknown =
    typeof position === 'object' && position !== null && 'id' in position ? position.id : null
  if (typeof id !== 'string') throw badCursor()
  return id
}

interface PastItem {
  readonly input: ParsedOf<List>
  readonly filter: Filter
  readonly past: PastHead
}

/** An item as it was, as JSON; null if it does not match, or if the caller may not read that version. */
async function textAt(
  call: Call,
  scope: Scope,
  { input, filter, past: { head, moment } }: PastItem,
): Promise<string | null> {
  if (moment.archived && input.archived !== true) return null
  const visible = await readable(versionNamed(call, { head, name: String(moment.version) }))
  if (!visible || !meetsFilter(filter, (field) => valuesAt({ visible, moment }, field))) return null
  const state = { ...moment, latestVersion: moment.version }
  return (await serializeVersion(call, { scope, head, visible, state })).text
}

/** Null for a version that the caller may not read, or that is not kept any more. */
async function readable(version: Promise<VisibleVersion>): Promise<VisibleVersion | null> {
  try {
    return await version
  } catch (error) {
    if (error instanceof QuireError && error.code === 'not_found') return null
    throw error
  }
}

function valuesAt(
  { visible, moment }: { visible: VisibleVersion; moment: PastHead['moment'] },
  field: QueryField,
): readonly QueryValue[] {
  const { name, slug, categories, folderId } = contentOf(visible)
  if ('path' in field) return field.path === categoriesPath ? categories : []
  const isPublished = moment.publishedVersion === moment.version
  const values: Partial<Record<typeof field.member, QueryValue | null>> = {
    id: visible.id,
    type: visible.type,
    name,
    slug,
    parentId: folderId,
    published: moment.publishedVersion !== null,
    status: moment.archived ? 'archived' : isPublished ? 'published' : 'draft',
  }
  const value = values[field.member] ?? null
  return value === null ? [] : [value]
}
