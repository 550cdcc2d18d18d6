import { limits, type Contract, type ParsedOf, type QueryAnswer } from '@quire/contract'
import type { Answer } from '../call/answer.ts'
import { requirePermission, type Call } from '../call/call.ts'
import { invalid } from '../call/check-input.ts'
import { badCursor } from '../call/paging.ts'
import { openCursor, sealCursor } from '../call/sealed-cursor.ts'
import { presentItems } from '../items/list.ts'
import { entityQueryOf, listPage, namesOn, type Listing } from '../items/listing.ts'
import { findPlace, type Place } from '../lines/lines.ts'
import type { EntityQuery, PresentedEntity, SearchCursor, TextQuery } from '../ports/index.ts'
import { countFacets, facetsOf } from './facets.ts'
import { queryFilterOf } from './filter.ts'
import { highlightsIn } from './highlights-in.ts'

type Run = Contract['queries']['run']

/** What a query asks of a place. */
export type QueryInput = Omit<ParsedOf<Run>, 'configId' | 'packageName'>

/**
 * Items that match and that the caller may read, with facets and highlights of those alone.
 * Errors: `not_found`, `forbidden`; `invalid` naming unknown fields, operators, members and cursors.
 */
export async function runQuery(
  call: Call,
  { configId, packageName, ...query }: ParsedOf<Run>,
): Promise<Answer<QueryAnswer>> {
  return answerQuery(call, await placeToQuery(call, { configId, packageName }), query)
}

/** The place of a query, for who may run some. Errors: `not_found`, `forbidden`. */
export async function placeToQuery(call: Call, ref: Parameters<typeof findPlace>[1]): Promise<Place> {
  const place = await findPlace(call, ref)
  requirePermission(call, 'queries.run', { repositoryId: place.repository.id })
  return place
}

/** What a query answers in a place. Errors: `invalid`. */
export async function answerQuery(
  call: Call,
  place: Place,
  { filter, facets = [], facetLimit, highlight, ...input }: QueryInput,
): Promise<Answer<QueryAnswer>> {
  if (highlight) requireFewItems(input)
  const { names } = await namesOn(call, place, input.type)
  const listing: Listing = { place, input, ...(filter && { always: queryFilterOf(names, filter) }) }
  const counted = facetsOf(names, facets)
  const query = await entityQueryOf(call, listing)
  const { entities, ...found } = await pageOf(call, listing, query)
  const about = {
    ...found,
    ...(facets.length > 0 && {
      facets: await countFacets(call, place.line, { facets: counted, query, limit: facetLimit }),
    }),
    ...(highlight && { highlights: await highlightsIn(call, place.line, { entities, text: query.text }) }),
  }
  return presentItems(call, { place, entities, input, about })
}

/** Errors: `invalid` for a page that is too large to be looked through for words. */
function requireFewItems({ limit = limits.pageDefault }: Pick<QueryInput, 'limit'>): void {
  if (limit <= limits.highlighted) return
  const message = `is at most ${limits.highlighted} with highlight`
  throw invalid([{ path: 'limit', message }])
}

interface Found {
  readonly entities: readonly PresentedEntity[]
  readonly count?: number
  readonly countIsCapped?: boolean
  readonly nextCursor?: string
}

async function pageOf(call: Call, listing: Listing, query: EntityQuery): Promise<Found> {
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
  { place, input }: Listing,
  query: EntityQuery & { readonly text: TextQuery },
): Promise<Found> {
  const { kind, reader, filter, text, archived, limit, count } = query
  const page = await call.store.entities.search(place.line, {
    kind,
    reader,
    ...(filter && { filter }),
    text,
    archived,
    limit,
    ...(input.cursor !== undefined && { after: await openPlace(call, input.cursor) }),
    count,
  })
  return {
    ...(page.count !== undefined && { count: page.count }),
    ...(page.isCapped && { countIsCapped: true }),
    ...(page.next && { nextCursor: await sealPlace(call, page.next) }),
    entities: page.entities,
  }
}

// A place in the order of the index is a number that grows with every write of the service, also with those that the caller may not
// see: it is sealed.
const searchOrder = 'search'

function sealPlace(call: Call, { tier, row }: SearchCursor): Promise<string> {
  return sealCursor(call, searchOrder, [tier, row])
}

async function openPlace(call: Call, text: string): Promise<SearchCursor> {
  const place = await openCursor(call, searchOrder, text)
  if (!Array.isArray(place)) throw badCursor()
  const [tier, row] = place
  return { tier: Number(tier), row: Number(row) }
}
