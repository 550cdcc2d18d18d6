import type { Item } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLNullableOutputType,
} from 'graphql'
import type { GraphContext, ReadContext } from './context.ts'
import { Timestamp } from './scalars.ts'

/**
 * An item in an execution, with the context it was read in. Items it refers to are read in the same
 * context.
 */
export interface GraphItem extends Partial<Omit<Item, 'id' | 'type'>>, Pick<Item, 'id' | 'type'> {
  readonly readContext: ReadContext
}

/** A field of an item. */
export type ItemField = GraphQLFieldConfig<GraphItem, GraphContext>

/** The type without null. */
export function required<T extends GraphQLNullableOutputType>(type: T): GraphQLNonNull<T> {
  return new GraphQLNonNull(type)
}

/** A list without null whose entries are not null. */
export function listOf<T extends GraphQLNullableOutputType>(
  type: T,
): GraphQLNonNull<GraphQLList<GraphQLNonNull<T>>> {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

const id = { type: required(GraphQLID) }
const name = { type: required(GraphQLString) }

const User = new GraphQLObjectType({
  name: 'User',
  description: 'The user who did something',
  fields: { userName: name, displayName: { type: GraphQLString }, email: { type: GraphQLString } },
})

/** A category with its taxonomy. */
export const Category = new GraphQLObjectType({
  name: 'Category',
  fields: { id, name, taxonomyId: { type: GraphQLID }, taxonomyName: { type: GraphQLString } },
})

const AssetInfo = new GraphQLObjectType({
  name: 'AssetInfo',
  description: 'The binary of an asset',
  fields: {
    mimeType: { type: GraphQLString },
    size: { type: GraphQLFloat, description: 'Bytes' },
    width: { type: GraphQLInt },
    height: { type: GraphQLInt },
    hash: { type: GraphQLString },
  },
})

const Rendition = new GraphQLObjectType({
  name: 'Rendition',
  description: 'A file that can be fetched for an asset',
  fields: {
    name,
    url: { type: required(GraphQLString), description: 'The path to fetch it from' },
    format: { type: GraphQLString },
    mimeType: { type: GraphQLString },
    size: {
      type: GraphQLFloat,
      description: 'Bytes; 0 for a rendition that is created when it is first requested',
    },
    fileName: { type: GraphQLString },
  },
})

const Version = new GraphQLObjectType({
  name: 'Version',
  fields: {
    version: { type: required(GraphQLInt) },
    updatedDate: { type: Timestamp },
    updatedByUser: { type: User },
  },
})

const renditionField: ItemField = {
  type: Rendition,
  description:
    'A rendition by its name, in a format. Without a format, the best one that the client accepts. Null when there is none',
  args: {
    name: { type: new GraphQLNonNull(GraphQLString) },
    format: { type: GraphQLString },
  },
  resolve({ renditions }, { name: wanted, format }) {
    const found = renditions?.find((rendition) => rendition.name === wanted)
    if (!found || typeof format !== 'string') return found ?? null
    const separator = found.url.includes('?') ? '&' : '?'
    return { ...found, format, url: `${found.url}${separator}format=${encodeURIComponent(format)}` }
  },
}

const categoriesField: ItemField = {
  type: listOf(Category),
  resolve: ({ taxonomies = [] }) =>
    taxonomies.flatMap((taxonomy) =>
      taxonomy.categories.map((category) => {
        return { ...category, taxonomyId: taxonomy.id, taxonomyName: taxonomy.name }
      }),
    ),
}

/** The members of every item. Members that the public may not see are null for it. */
const itemFields: Readonly<Record<string, ItemField>> = {
  id,
  type: { type: required(GraphQLString), description: 'The name of its content type' },
  name,
  slug: name,
  repositoryId: { type: GraphQLID },
  description: { type: GraphQLString },
  status: { type: GraphQLString, description: 'draft, published or archived' },
  folderId: { type: GraphQLID },
  packageName: { type: GraphQLString },
  currentVersion: { type: GraphQLInt },
  latestVersion: { type: GraphQLInt },
  isArchived: { type: GraphQLBoolean },
  isPublished: { type: GraphQLBoolean },
  isPreview: { type: GraphQLBoolean },
  isLatest: { type: GraphQLBoolean },
  isLatestPublished: { type: GraphQLBoolean },
  createdDate: { type: Timestamp },
  updatedDate: { type: Timestamp },
  publishedDate: { type: Timestamp },
  createdByUser: { type: User },
  updatedByUser: { type: User },
  fileExtension: { type: GraphQLString },
  originalFileName: { type: GraphQLString },
  cardPreview: { type: GraphQLString },
  asset: { type: AssetInfo },
  renditions: { type: listOf(Rendition), resolve: ({ renditions = [] }) => renditions },
  rendition: renditionField,
  categories: categoriesField,
  versionHistory: { type: listOf(Version), resolve: ({ versionHistory = [] }) => versionHistory },
}

const Translation = new GraphQLObjectType({
  name: 'Translation',
  fields: {
    path: { type: required(GraphQLString), description: 'The path of the localized value: `fields.title`' },
    locale: { type: required(GraphQLString) },
    state: { type: required(GraphQLString), description: 'missing, outdated or current' },
  },
})

const translationsField: ItemField = {
  type: new GraphQLList(required(Translation)),
  description: 'The states of its translations. Null for the public',
  args: {
    locale: { type: GraphQLString, description: 'Only those of this locale' },
    states: { type: new GraphQLList(required(GraphQLString)), description: 'Only those in these states' },
  },
  async resolve({ id, readContext: { isPublic, translations } }, { locale, states }, { countEntries }) {
    const all = isPublic ? null : await translations.load(id)
    const found = all?.filter(
      (one) => (!locale || one.locale === locale) && (!Array.isArray(states) || states.includes(one.state)),
    )
    countEntries(found?.length ?? 0)
    return found ?? null
  },
}

/** The members of every item in a repository, which has locales or not. */
export function itemFieldsIn({ hasLocales }: { hasLocales: boolean }): Readonly<Record<string, ItemField>> {
  return hasLocales ? { ...itemFields, translations: translationsField } : itemFields
}

const otherItem = 'OtherItem'

/** Creates the interface of all items. `objectOf` maps a content type to its object type. */
export function itemInterface(
  fields: Readonly<Record<string, ItemField>>,
  objectOf: (type: string) => string | undefined,
): GraphQLInterfaceType {
  return new GraphQLInterfaceType({
    name: 'Item',
    description: 'An item of any content type',
    fields,
    resolveType: ({ type }: GraphItem) => objectOf(type) ?? otherItem,
  })
}

/** Creates the type of items whose content type the repository no longer allows. */
export function otherItemType(
  fields: Readonly<Record<string, ItemField>>,
  item: GraphQLInterfaceType,
): GraphQLObjectType {
  return new GraphQLObjectType({
    name: otherItem,
    description: 'An item of a content type that its repository no longer allows',
    interfaces: [item],
    fields,
  })
}
