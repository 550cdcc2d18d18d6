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
import type { GraphContext, ReadContext } from './context.ts'
import { comparedNames, filterType, queryFilter, sortType, type GraphFilter } from './inputs.ts'
import { listOf, type GraphItem } from './item-interface.ts'
import type { TypeNames } from './names.ts'
import { noSuchItem } from '../../content/items/find.ts'
import { namesAmong, namesOn, pageOn } from '../../content/items/listing.ts'
import { knownItems } from '../../content/items/serialize.ts'
import { queryFilterOf } from '../../content/queries/filter.ts'
import type { Filter } from '../../ports/index.ts'

/** A content type with its place in the schema. */
export interface NamedType {
  readonly type: ContentType
  readonly names: TypeNames
  readonly object: GraphQLObjectType
}

type RootField = GraphQLFieldConfig<unknown, GraphContext>

/** The argument of what reads and writes on a branch. */
export const onPackage = { package: { type: GraphQLString, description: 'On the line of this package' } }

const page = {
  limit: { type: GraphQLInt, description: '1 to 1000; default 25' },
  cursor: { type: GraphQLString, description: '`nextCursor` of the page before' },
}
const which = {
  id: { type: GraphQLID },
  slug: { type: GraphQLString },
  version: { type: GraphQLString, description: 'A number, `latest` or `latestpublished`' },
  ...onPackage,
}

/** Entries of a list that names no limit. */
const listDefault = 25

/** What can be asked: one and several of each content type, any item, and a search. */
export function queryType(located: readonly NamedType[], item: GraphQLInterfaceType): GraphQLObjectType {
  const ofTypes = located.flatMap((one) => [
    [one.names.one, oneField(one)] as const,
    [one.names.many, manyField(one)] as const,
  ])
  return new GraphQLObjectType({
    name: 'Query',
    fields: { item: itemField(item), search: searchField(item), ...Object.fromEntries(ofTypes) },
  })
}

function itemField(item: GraphQLInterfaceType): RootField {
  return {
    type: item,
    description: 'An item of any type',
    args: which,
    resolve: async (_root, args, { reading }) => oneItem(await reading(args['package']), args),
  }
}

function oneField({ type, object }: NamedType): RootField {
  return {
    type: object,
    description: type.description || undefined,
    args: which,
    async resolve(_root, args, { reading }) {
      const found = await oneItem(await reading(args['package']), args)
      return found?.type === type.name ? found : null
    },
  }
}

function manyField({ type, names, object }: NamedType): RootField {
  const compared = comparedNames(type)
  const paths = new Map(compared.map(({ name, path }) => [name, path]))
  return {
    type: new GraphQLNonNull(pageType(`${names.object}_Page`, object)),
    args: {
      filter: { type: filterType(names.object, compared) },
      sort: { type: new GraphQLList(new GraphQLNonNull(sortType(names.object, compared))) },
      archived: { type: GraphQLBoolean, description: 'Archived ones too' },
      ...page,
      ...onPackage,
    },
    async resolve(...[, args, { reading }, info]: Resolving<ManyArguments>) {
      const { filter, sort, limit, cursor, archived } = args
      return listOfType(await reading(args.package), type, {
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

/** What a resolver is given. */
type Resolving<A> = [root: unknown, args: A, context: GraphContext, info: GraphQLResolveInfo]

interface SearchArguments {
  readonly text: string
  readonly type?: string | null
  readonly limit?: number | null
  readonly cursor?: string | null
  readonly package?: string | null
}

interface ManyArguments {
  readonly filter?: GraphFilter | null
  readonly sort?: readonly string[] | null
  readonly limit?: number | null
  readonly cursor?: string | null
  readonly archived?: boolean | null
  readonly package?: string | null
}

function pageType(name: string, of: GraphQLObjectType | GraphQLInterfaceType): GraphQLObjectType {
  return new GraphQLObjectType({
    name,
    fields: {
      items: { type: listOf(of) },
      nextCursor: { type: GraphQLString, description: 'Where the list goes on; null on the last page' },
      count: { type: GraphQLInt, description: 'All that match and the caller may read' },
    },
  })
}

function searchField(item: GraphQLInterfaceType): RootField {
  return {
    type: new GraphQLNonNull(pageType('SearchResult', item)),
    description: 'Full text, the best first; needs `queries.run`',
    args: {
      text: { type: new GraphQLNonNull(GraphQLString) },
      type: { type: GraphQLString, description: 'Only items of this content type, by its name' },
      ...page,
      ...onPackage,
    },
    async resolve(
      ...[, { text, type, limit, cursor, package: named }, context, info]: Resolving<SearchArguments>
    ) {
      const reading = await context.reading(named)
      const { call, scope } = reading
      requireSearch(reading)
      const asked = {
        text,
        type: type ?? undefined,
        limit: limit ?? listDefault,
        cursor: cursor ?? undefined,
      }
      checkInput(contract.queries.run, { configId: scope.repository.id, ...asked })
      const skipCount = !selects(info, 'count')
      const found = valueOf(await answerQuery(call, scope, { ...asked, skipCount, facetLimit: 1 }))
      // Without `select` they are whole.
      const items = found.items.map((one) => ({ ...(one as GraphItem), reading }))
      return { ...found, items }
    },
  }
}

/** Errors: `unauthorized` for nobody in particular; `forbidden` for whoever reads as everybody does, or may run no queries. */
function requireSearch({ call, isPublic, scope }: ReadContext): void {
  if (call.identity.kind === 'anonymous') throw new QuireError('unauthorized')
  // A query shows items whole, not as the public sees them.
  if (isPublic) throw notPermitted(['graphql.query'])
  requirePermission(call, 'queries.run', { repositoryId: scope.repository.id })
}

/** Whether a field of a page is asked for, in fragments too. */
function selects({ fieldNodes, fragments }: GraphQLResolveInfo, name: string): boolean {
  const isIn = (set: SelectionSetNode): boolean =>
    set.selections.some((one) => {
      if (one.kind === Kind.FIELD) return one.name.value === name
      if (one.kind === Kind.INLINE_FRAGMENT) return isIn(one.selectionSet)
      const fragment = fragments[one.name.value]
      return fragment !== undefined && isIn(fragment.selectionSet)
    })
  return fieldNodes.some(({ selectionSet }) => selectionSet !== undefined && isIn(selectionSet))
}

/** A page of items in an execution. */
interface GraphPage {
  readonly items: readonly GraphItem[]
  readonly nextCursor: string | undefined
  readonly count: number | undefined
}

/** What is asked of a list. */
interface ListQuery {
  readonly filter?: QueryFilterInput | undefined
  /** As `items.list` has it. */
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
  readonly archived?: boolean | undefined
  readonly isCounted: boolean
}

/** Items of a type, as REST lists them. Errors: `invalid`. */
async function listOfType(reading: ReadContext, type: ContentType, asked: ListQuery): Promise<GraphPage> {
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
interface ItemQuery {
  readonly id?: string | null | undefined
  readonly slug?: string | null | undefined
  readonly version?: string | null | undefined
}

/** One item by id or by slug; null: there is none that the caller may read. Errors: `invalid` unless one of the two is given. */
async function oneItem(reading: ReadContext, { id, slug, version }: ItemQuery): Promise<GraphItem | null> {
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
