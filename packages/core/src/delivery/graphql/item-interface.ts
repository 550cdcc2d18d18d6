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

/** An item in an execution, with where it was read: what it refers to is read there too. */
export interface GraphItem extends Partial<Omit<Item, 'id' | 'type'>>, Pick<Item, 'id' | 'type'> {
  readonly reading: ReadContext
}

/** A field of an item. */
export type ItemField = GraphQLFieldConfig<GraphItem, GraphContext>

/** The value that is not null. */
export function required<T extends GraphQLNullableOutputType>(type: T): GraphQLNonNull<T> {
  return new GraphQLNonNull(type)
}

/** Each of several, none of them null. */
export function listOf<T extends GraphQLNullableOutputType>(
  type: T,
): GraphQLNonNull<GraphQLList<GraphQLNonNull<T>>> {
  return new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(type)))
}

const id = { type: required(GraphQLID) }
const name = { type: required(GraphQLString) }

const User = new GraphQLObjectType({
  name: 'User',
  description: 'Who did something',
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
  description: 'A binary that can be fetched of an asset',
  fields: {
    name,
    url: { type: required(GraphQLString), description: 'The path of its retrieval' },
    format: { type: GraphQLString },
    mimeType: { type: GraphQLString },
    size: { type: GraphQLFloat, description: 'Bytes; 0 for one that is made when it is first asked for' },
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
    'One rendition by its name, in a format: as the caller takes best without one. Null: there is none',
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

/** The members of every item. What the public does not see of one is null to it. */
export const itemFields: Readonly<Record<string, ItemField>> = {
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

const otherItem = 'OtherItem'

/** Any item, whatever its type. */
export function itemInterface(objectOf: (type: string) => string | undefined): GraphQLInterfaceType {
  return new GraphQLInterfaceType({
    name: 'Item',
    description: 'An item of any content type',
    fields: itemFields,
    resolveType: ({ type }: GraphItem) => objectOf(type) ?? otherItem,
  })
}

/** An item of a content type that the repository allows no more. */
export function otherItemType(item: GraphQLInterfaceType): GraphQLObjectType {
  return new GraphQLObjectType({
    name: otherItem,
    description: 'An item of a content type that its repository allows no more',
    interfaces: [item],
    fields: itemFields,
  })
}
