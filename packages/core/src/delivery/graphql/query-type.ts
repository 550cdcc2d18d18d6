import {
  contract,
  QuireError,
  type ContentType,
  parseAs,
  QueryFilter,
  type QueryFilterInput,
} from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  Kind,
  type GraphQLFieldConfig,
  type GraphQLInterfaceType,
  type GraphQLResolveInfo,
  type SelectionSetNode,
} from 'graphql'
import { valueOf } from '../../engine/answer.ts'
import { notPermitted, requirePermission } from '../../engine/call.ts'
import { checkInput, invalid } from '../../engine/check-input.ts'
import { answerQuery } from '../../content/queries/run.ts'
import type { GraphContext, ReadContext, ScopeArguments } from './context.ts'
import { comparedNames, filterType, queryFilter, sortType, type GraphFilter } from './inputs.ts'
import { listOf, type GraphItem } from './item-interface.ts'
import type { TypeNames } from './names.ts'
import { namesAmong, namesOn, pageOn } from '../../content/items/listing.ts'
import { cachedItems } from '../../content/items/serialize.ts'
import { queryFilterOf } from '../../content/queries/filter.ts'
import type { Filter } from '../../ports/index.ts'
import { findOne } from './find-one.ts'

/** A content type with its names and its object type in the schema. */
export interface NamedType {
  readonly type: ContentType
  readonly names: TypeNames
  readonly object: GraphQLObjectType
}

type RootField = GraphQLFieldConfig<unknown, GraphContext>

/** The arguments that name the package to read from or write to, and the locale where there are some. */
export function scopeArguments(hasLocales: boolean) {
  return {
    package: { type: GraphQLString, description: 'On the branch of this package' },
    ...(hasLocales && {
      locale: { type: GraphQLString, description: 'The locale of this item and of those below it' },
      fallback: { type: GraphQLBoolean, description: 'false: no values of other locales' },
    }),
  }
}

/** The `scopeArguments` of a schema. */
export type ScopeFields = ReturnType<typeof scopeArguments>

const page = {
  limit: { type: GraphQLInt, description: '1 to 1000; default 25' },
  cursor: { type: GraphQLString, description: '`nextCursor` of the previous page' },
}
const itemArguments = {
  id: { type: GraphQLID },
  slug: { type: GraphQLString },
  version: { type: GraphQLString, description: 'A number, `latest` or `latestpublished`' },
}

/** Default `limit` of a list. */
const listDefault = 25

/** Creates the query type: one item and a list for each content type, any item, and a search. */
export function queryType(
  types: readonly NamedType[],
  item: GraphQLInterfaceType,
  scope: ScopeFields,
): GraphQLObjectType {
  const ofTypes = types.flatMap((one) => [
    [one.names.one, oneField(one, scope)] as const,
    [one.names.many, manyField(one, scope)] as const,
  ])
  return new GraphQLObjectType({
    name: 'Query',
    fields: {
      item: itemField(item, scope),
      search: searchField(item, scope),
      ...Object.fromEntries(ofTypes),
    },
  })
}

function itemField(item: GraphQLInterfaceType, scope: ScopeFields): RootField {
  return {
    type: item,
    description: 'An item of any type',
    args: { ...itemArguments, ...scope },
    resolve: async (_root, args, { openReadContext }) => findOne(await openReadContext(args), args),
  }
}

function oneField({ type, object }: NamedType, scope: ScopeFields): RootField {
  return {
    type: object,
    description: type.description || undefined,
    args: { ...itemArguments, ...scope },
    async resolve(_root, args, { openReadContext }) {
      const found = await findOne(await openReadContext(args), args)
      return found?.type === type.name ? found : null
    },
  }
}

function manyField({ type, names, object }: NamedType, scope: ScopeFields): RootField {
  const compared = comparedNames(type)
  const paths = new Map(compared.map(({ name, path }) => [name, path]))
  return {
    type: new GraphQLNonNull(pageType(`${names.object}_Page`, object)),
    args: {
      filter: { type: filterType(names.object, compared) },
      sort: { type: new GraphQLList(new GraphQLNonNull(sortType(names.object, compared))) },
      archived: { type: GraphQLBoolean, description: 'Include archived items' },
      ...page,
      ...scope,
    },
    async resolve(...[, args, { openReadContext }, info]: ResolverParameters<ManyArguments>) {
      const { filter, sort, limit, cursor, archived } = args
      return listOfType(await openReadContext(args), type, {
        filter: filter ? queryFilter(filter, paths) : undefined,
        sort: sort?.join(','),
        limit: limit ?? listDefault,
        cursor: cursor ?? undefined,
        archived: archived ?? undefined,
        isCounted: selects(info, 'count'),
      })
    },
  }
}

/** The parameters of a resolver. */
type ResolverParameters<A> = [root: unknown, args: A, context: GraphContext, info: GraphQLResolveInfo]

interface SearchArguments extends ScopeArguments {
  readonly text: string
  readonly type?: string | null
  readonly limit?: number | null
  readonly cursor?: string | null
}

interface ManyArguments extends ScopeArguments {
  readonly filter?: GraphFilter | null
  readonly sort?: readonly string[] | null
  readonly limit?: number | null
  readonly cursor?: string | null
  readonly archived?: boolean | null
}

function pageType(name: string, of: GraphQLObjectType | GraphQLInterfaceType): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: {
      items: { type: listOf(of) },
      nextCursor: {
        type: GraphQLString,
        description: 'Send it as `cursor` for the next page; null on the last page',
      },
      count: { type: GraphQLInt, description: 'Number of items that match and that the caller may read' },
    },
  })
}

function searchField(item: GraphQLInterfaceType, scope: ScopeFields): RootField {
  return {
    type: new GraphQLNonNull(pageType('SearchResult', item)),
    description: 'Full-text search, best match first; requires `queries.run`',
    args: {
      text: { type: new GraphQLNonNull(GraphQLString) },
      type: { type: GraphQLString, description: 'Only items of this content type, by its name' },
      ...page,
      ...scope,
    },
    async resolve(...[, args, context, info]: ResolverParameters<SearchArguments>) {
      const readContext = await context.openReadContext(args)
      const { call, scope: at } = readContext
      requireSearch(readContext)
      // The index of words is also written by jobs, which report no change.
      call.cacheTags?.refuse()
      const { text, type, limit, cursor } = args
      const query = {
        text,
        type: type ?? undefined,
        limit: limit ?? listDefault,
        cursor: cursor ?? undefined,
      }
      checkInput(contract.queries.run, { configId: at.repository.id, ...query })
      const skipCount = !selects(info, 'count')
      const found = valueOf(await answerQuery(call, at, { ...query, skipCount, facetLimit: 1 }))
      // Without `select`, items have all members.
      const items = found.items.map((one) => ({ ...(one as GraphItem), readContext }))
      return { ...found, items }
    },
  }
}

/**
 * Errors: `unauthorized` for anonymous callers; `forbidden` for callers who only have public access
 * or may not run queries.
 */
function requireSearch({ call, isPublic, scope }: ReadContext): void {
  if (call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  // A query returns whole items, including members that the public may not see.
  if (isPublic) throw notPermitted(['graphql.query'])
  requirePermission(call, 'queries.run', { repositoryId: scope.repository.id })
}

/** Whether a page selects a field, directly or in a fragment. */
function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isSelectedIn = (set: SelectionSetNode): boolean =>
    set.selections.some((one) => {
      if (one.kind === Kind.FIELD) return one.name.value === name
      if (one.kind === Kind.INLINE_FRAGMENT) return isSelectedIn(one.selectionSet)
      const fragment = fragments[one.name.value]
      return fragment !== undefined && isSelectedIn(fragment.selectionSet)
    })
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isSelectedIn(selectionSet))
}

/** A page of items in an execution. */
interface GraphPage {
  readonly items: readonly GraphItem[]
  readonly nextCursor: string | undefined
  readonly count: number | undefined
}

/** The query of a list. */
interface ListQuery {
  readonly filter?: QueryFilterInput | undefined
  /** In the syntax of `items.list`. */
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly archived?: boolean | undefined
  readonly isCounted: boolean
}

/** Lists items of a type, like `items.list`. Errors: `invalid`. */
async function listOfType(readContext: ReadContext, type: ContentType, query: ListQuery): Promise<GraphPage> {
  const { call, scope, members } = readContext
  const { filter, isCounted, ...page } = query
  checkInput(contract.items.list, { configId: scope.repository.id, type: type.name, ...page })
  const always = await filterOf(readContext, type, filter)
  const input = { type: type.name, ...page, skipCount: !isCounted }
  const listing = { scope, input, ...(members && { members }), ...(always && { always }) }
  const { page: found, nextCursor } = await pageOn(call, listing)
  const items = await cachedItems(call, scope.branch, found.entities)
  return { items: items.map((item) => visibleIn(readContext, item)), nextCursor, count: found.count }
}

/** The given filter together with the one that the context always applies. Errors: `invalid`. */
async function filterOf(
  { call, scope, members, always }: ReadContext,
  type: ContentType,
  filter: QueryFilterInput | undefined,
): Promise<Filter | undefined> {
  if (!filter) return always
  const { names } = await namesOn(call, scope, type.name)
  const parsed = parseAs(QueryFilter, filter)
  if ('issues' in parsed) throw invalid(parsed.issues)
  const own = queryFilterOf(namesAmong(names, members), parsed.value)
  return always ? { all: [always, own] } : own
}

function visibleIn(
  readContext: ReadContext,
  item: Parameters<ReadContext['view']['serialize']>[0],
): GraphItem {
  // Members that the view leaves out are null in the response.
  return { ...(readContext.view.serialize(item) as GraphItem), readContext }
}
