import {
  limits,
  type Contract,
  type ParsedOf,
  type QueryAnswer,
  type FacetValue,
  type Issue,
  type Highlight,
} from '@quire/contract'
import type { Answer } from '../../engine/answer.ts'
import { requirePermission, type Call } from '../../engine/call.ts'
import { invalid } from '../../engine/check-input.ts'
import { badCursor, openCursor, sealCursor } from '../../engine/paging.ts'
import { entityQueryOf, listPage, namesOn, type Listing } from '../items/listing.ts'
import { serializeItems } from '../items/list.ts'
import { findScope, type Scope } from '../../engine/scope.ts'
import type {
  EntityQuery,
  StoredJson,
  SearchCursor,
  TextQuery,
  FacetCount,
  Branch,
  QueryField,
  Passage,
  SearchDocument,
} from '../../ports/index.ts'
import { queryFilterOf } from './filter.ts'
import { type Permissions } from '../../engine/access/permissions.ts'
import { mayReadBy } from '../../engine/access/role-lists.ts'
import { queryable, type QueryNames } from '../items/query.ts'
import { yieldingToLoop } from '../../engine/event-loop.ts'
import { passagesSearched } from '../locales/search.ts'
import { highlightsOf } from './highlight.ts'

type Run = Contract['queries']['run']

/** The input of a query, without its scope. */
type QueryInput = Omit<ParsedOf<Run>, 'configId' | 'packageName'>

/**
 * Runs a query. Returns the matching items that the caller may read. Facets and highlights cover
 * only those items.
 * Errors: `not_found`, `forbidden`; `invalid` for unknown fields, operators and members, and for
 * invalid cursors.
 */
export async function runQuery(
  call: Call,
  { configId, packageName, ...query }: ParsedOf<Run>,
): Promise<Answer<QueryAnswer>> {
  return answerQuery(call, await scopeToQuery(call, { configId, packageName }), query)
}

/**
 * Finds the scope of a query and checks that the caller may run queries there. Errors: `not_found`,
 * `forbidden`.
 */
export async function scopeToQuery(call: Call, ref: Parameters<typeof findScope>[1]): Promise<Scope> {
  const scope = await findScope(call, ref)
  requirePermission(call, 'queries.run', { repositoryId: scope.repository.id })
  return scope
}

/** Answers a query in a scope. Does not check `queries.run`. Errors: `invalid`. */
export async function answerQuery(
  call: Call,
  scope: Scope,
  { filter, facets = [], facetLimit, highlight, ...input }: QueryInput,
): Promise<Answer<QueryAnswer>> {
  if (highlight) requireFewItems(input)
  const { names } = await namesOn(call, scope, input.type)
  const listing: Listing = { scope, input, ...(filter && { always: queryFilterOf(names, filter) }) }
  const counted = facetsOf(names, facets)
  const query = await entityQueryOf(call, listing)
  const { entities, ...found } = await pageOf(call, listing, query)
  const about = {
    ...found,
    ...(facets.length > 0 && {
      facets: await countFacets(call, scope.branch, { facets: counted, query, limit: facetLimit }),
    }),
    ...(highlight && { highlights: await highlightsIn(call, scope.branch, { entities, text: query.text }) }),
  }
  return serializeItems(call, { scope, entities, input, about })
}

/** Errors: `invalid` for a page with too many items to highlight. */
function requireFewItems({ limit = limits.pageDefault }: Pick<QueryInput, 'limit'>): void {
  if (limit <= limits.highlighted) return
  const message = `must be at most ${limits.highlighted} with highlight`
  throw invalid([{ path: 'limit', message }])
}

interface QueryMatches {
  readonly entities: readonly StoredJson[]
  readonly count?: number
  readonly countIsCapped?: boolean
  readonly nextCursor?: string
}

async function pageOf(call: Call, listing: Listing, query: EntityQuery): Promise<QueryMatches> {
  const { text } = query
  if (listing.input.sort === undefined && text && text.terms.length > 0)
    return bestFirst(call, listing, { ...query, text })
  const { page, nextCursor } = await listPage(call, listing, query)
  return {
    ...(page.count !== undefined && { count: page.count }),
    ...(nextCursor !== undefined && { nextCursor }),
    entities: page.entities,
  }
}

async function bestFirst(
  call: Call,
  { scope, input }: Listing,
  query: EntityQuery & { readonly text: TextQuery },
): Promise<QueryMatches> {
  const { kind, reader, filter, text, archived, limit, count } = query
  const page = await call.store.entities.search(scope.branch, {
    kind,
    reader,
    ...(filter && { filter }),
    text,
    archived,
    limit,
    ...(input.cursor !== undefined && { after: await openPosition(call, input.cursor) }),
    count,
  })
  return {
    ...(page.count !== undefined && { count: page.count }),
    ...(page.isCapped && { countIsCapped: true }),
    ...(page.next && { nextCursor: await sealPosition(call, page.next) }),
    entities: page.entities,
  }
}

// The position in the search order contains a number that grows with every write of the service,
// including writes that the caller may not see. So the cursor is encrypted.
const searchOrder = 'search'

function sealPosition(call: Call, { tier, row }: SearchCursor): Promise<string> {
  return sealCursor(call, searchOrder, [tier, row])
}

async function openPosition(call: Call, text: string): Promise<SearchCursor> {
  const scope = await openCursor(call, searchOrder, text)
  if (!Array.isArray(scope)) throw badCursor()
  const [tier, row] = scope
  return { tier: Number(tier), row: Number(row) }
}

/** A facet: its name, and the field whose values it counts. */
interface Facet {
  readonly name: string
  readonly field: QueryField
}

// The members that can be facets. The values of other members are different for almost every item.
const members = new Set(['type', 'status', 'folderId', 'categories', 'translations'])

/**
 * Finds the fields of facets. Errors: `invalid` for names that are unknown, may not be read or
 * cannot be facets.
 */
function facetsOf(names: QueryNames, requested: readonly string[]): Facet[] {
  const found = [...new Set(requested)].map((name): Facet | Issue => {
    const known = queryable(names, name, 'facets')
    if ('message' in known) return known
    if (members.has(name) || name.startsWith('fields.')) return { name, field: known.field }
    return { path: 'facets', message: `"${name}" cannot be a facet` }
  })
  const issues = found.filter((facet): facet is Issue => 'message' in facet)
  if (issues.length > 0) throw invalid(issues)
  return found.filter((facet): facet is Facet => 'field' in facet)
}

const defaultValues = 20

/**
 * Counts each value among the matching items that the caller may read. Adds the names of categories
 * and folders.
 */
async function countFacets(
  call: Call,
  branch: Branch,
  { facets, query, limit }: { facets: readonly Facet[]; query: EntityQuery; limit: number | undefined },
): Promise<Record<string, FacetValue[]>> {
  const { kind, reader, filter, text, archived } = query
  const counts = await call.store.entities.facets(branch, {
    kind,
    reader,
    ...(filter && { filter }),
    ...(text && { text }),
    archived,
    fields: facets.map(({ field }) => field),
    limit: limit ?? defaultValues,
  })
  const named = facets.map(async ({ name }, index): Promise<[string, FacetValue[]]> => {
    const values = counts[index] ?? []
    return [name, await withNames(call, branch, { name, values })]
  })
  return Object.fromEntries(await Promise.all(named))
}

const namedKinds = { categories: 'category', folderId: 'folder' } as const

async function withNames(
  call: Call,
  branch: Branch,
  { name, values }: { name: string; values: readonly FacetCount[] },
): Promise<FacetValue[]> {
  if (name !== 'categories' && name !== 'folderId') return [...values]
  const ids = values.map(({ value }) => String(value))
  const heads = await call.store.entities.getMany(branch, namedKinds[name], ids)
  const { permissions } = call.identity
  const readable = heads.filter((head) => head.deletedDate === null && mayName(permissions, head))
  const names = new Map(readable.map((head) => [head.id, head.name]))
  return values.map((value) => {
    const known = names.get(String(value.value))
    return known === undefined ? value : { ...value, name: known }
  })
}

function mayName(
  permissions: Permissions,
  head: Parameters<typeof mayReadBy>[2] & { kind: string },
): boolean {
  return mayReadBy(permissions, head.kind === 'folder' ? 'folders.read' : 'taxonomies.read', head)
}

/** The highlights of each item, by id. Leaves out items without any. */
async function highlightsIn(
  call: Call,
  branch: Branch,
  { entities, text }: { entities: readonly StoredJson[]; text: TextQuery | undefined },
): Promise<Record<string, Highlight[]>> {
  if (!text || text.terms.length === 0) return {}
  const yieldToLoop = yieldingToLoop()
  const highlights: Record<string, Highlight[]> = {}
  for (let start = 0; start < entities.length; start += batchSize) {
    const ids = entities.slice(start, start + batchSize).map(({ id }) => id)
    for (const [id, document] of await call.store.entities.documents(branch, 'item', ids)) {
      const found = highlightsOf(await passagesOf(call, document, text), text)
      if (found.length > 0) highlights[id] = found
      await yieldToLoop()
    }
  }
  return highlights
}

// Documents to read together. Kept low so that few long documents are in memory at a time.
const batchSize = 10

async function passagesOf(
  call: Call,
  { name, passages, file }: SearchDocument,
  text: TextQuery,
): Promise<Passage[]> {
  const ofFile = file === null ? null : await call.store.texts.get(file)
  return [
    { path: 'name', text: name },
    ...passagesSearched(call, passages, text),
    ...(ofFile === null ? [] : [{ path: 'text', text: ofFile }]),
  ]
}
