import type { Field } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  type GraphQLFieldConfig,
  type GraphQLNullableOutputType,
} from 'graphql'
import { rulesOf } from '../../content/fields/index.ts'
import type { GraphOutput, GraphType, GraphVariant } from '../../content/fields/rules.ts'
import type { GraphContext, ReadContext } from './context.ts'
import { Category, required, type GraphItem } from './item-interface.ts'
import { upperFirst } from './names.ts'
import { Json, Long, Timestamp } from './scalars.ts'

/** What the fields of a schema share while it is built. */
export interface FieldTypes {
  /** The output type of a reference: one content type, or any item. */
  readonly target: (types: readonly string[]) => GraphQLNullableOutputType
  /** Object types of groups and blocks by name. Each is created once. */
  readonly created: Map<string, GraphQLObjectType>
}

/** Field values of an item, a group or a block, with the context they were read in. */
interface FieldValues {
  readonly values: Readonly<Record<string, unknown>>
  readonly readContext: ReadContext
}

type ValuesOf<S> = (source: S) => FieldValues

const Geo = new GraphQLObjectType({
  name: 'Geo',
  fields: { lat: { type: required(GraphQLFloat) }, lng: { type: required(GraphQLFloat) } },
})

/** Output types by the names that field kinds use for them. */
const valueTypes: { readonly [T in GraphType]: GraphQLNullableOutputType } = {
  String: GraphQLString,
  ID: GraphQLID,
  Boolean: GraphQLBoolean,
  Int: GraphQLInt,
  Float: GraphQLFloat,
  Long,
  Timestamp,
  JSON: Json,
  Geo,
}

/**
 * Creates the GraphQL fields of a content type. Names of nested types start with `owner`. A field
 * whose name is in `inUse` is called `field_<name>`.
 */
export function fieldConfigs<S>(
  types: FieldTypes,
  fields: readonly Field[],
  { owner, valuesOf, inUse }: { owner: string; valuesOf: ValuesOf<S>; inUse: ReadonlySet<string> },
): Record<string, GraphQLFieldConfig<S, GraphContext>> {
  return Object.fromEntries(
    fields.map((field) => {
      const name = inUse.has(field.name) ? `field_${field.name}` : field.name
      return [name, fieldConfig(types, field, { owner, valuesOf })]
    }),
  )
}

function fieldConfig<S>(
  types: FieldTypes,
  field: Field,
  { owner, valuesOf }: { owner: string; valuesOf: ValuesOf<S> },
): GraphQLFieldConfig<S, GraphContext> {
  const { name, label, help, list } = field
  const { graphql } = rulesOf(field)
  const output = graphql.output(field.settings)
  const type = outputType(types, output, `${owner}_${upperFirst(name)}`)
  const resolveValue = resolvers[output.as]
  return {
    type: list ? new GraphQLList(graphql.hasNullEntries ? type : required(type)) : type,
    description: [label, help].filter(Boolean).join('. ') || undefined,
    resolve(source, _args, { countEntries }) {
      const { values, readContext } = valuesOf(source)
      // A field may have the name of an inherited member, such as `toString`.
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      if (resolveValue === null || value === null) return value
      if (!Array.isArray(value)) return resolveValue(value, readContext)
      countEntries(value.length)
      return Promise.all(value.map((one) => resolveValue(one, readContext)))
    },
  }
}

function outputType(types: FieldTypes, output: GraphOutput, name: string): GraphQLNullableOutputType {
  if (output.as === 'value') return valueTypes[output.type]
  if (output.as === 'item') return types.target(output.types)
  if (output.as === 'category') return Category
  return output.as === 'object'
    ? groupType(types, name, output.fields)
    : blockType(types, name, output.variants)
}

type ResolveValue = (value: unknown, readContext: ReadContext) => unknown

const withReadContext: ResolveValue = (values, readContext) => ({ values, readContext })

/**
 * How to resolve values by kind of output; null returns the stored value. Items that the caller may
 * not read resolve to null.
 */
const resolvers: { readonly [K in GraphOutput['as']]: ResolveValue | null } = {
  value: null,
  item: readItem,
  category: readCategory,
  object: withReadContext,
  block: withReadContext,
}

async function readItem(id: unknown, readContext: ReadContext): Promise<GraphItem | null> {
  if (typeof id === 'string') readContext.call.cacheTags?.item(id)
  const item = typeof id === 'string' ? await readContext.items.load(id) : null
  return item && { ...item, readContext }
}

async function readCategory(id: unknown, { categories }: ReadContext): Promise<object | null> {
  if (typeof id !== 'string') return null
  const named = await categories.load(id)
  return named
    ? { id, name: named.name, taxonomyId: named.taxonomy.id, taxonomyName: named.taxonomy.name }
    : null
}

const own = { valuesOf: (source: FieldValues) => source, inUse: new Set<string>() }

function groupType(types: FieldTypes, name: string, fields: readonly Field[]): GraphQLObjectType {
  const known = types.created.get(name)
  if (known) return known
  const made = new GraphQLObjectType<FieldValues, GraphContext>({
    name,
    fields: () => fieldConfigs(types, fields, { owner: name, ...own }),
  })
  types.created.set(name, made)
  return made
}

function blockType(types: FieldTypes, name: string, variants: readonly GraphVariant[]): GraphQLUnionType {
  const nameOf = (variant: string) => `${name}_${upperFirst(variant)}`
  const objects = variants.map((variant) => {
    const made = new GraphQLObjectType<FieldValues, GraphContext>({
      name: nameOf(variant.name),
      fields: () => ({
        type: { type: required(GraphQLString), resolve: ({ values }) => values['type'] },
        ...fieldConfigs(types, variant.fields, {
          owner: nameOf(variant.name),
          valuesOf: own.valuesOf,
          inUse: new Set(['type']),
        }),
      }),
    })
    types.created.set(made.name, made)
    return made
  })
  return new GraphQLUnionType({
    name,
    types: objects,
    resolveType: ({ values }: FieldValues) => nameOf(String(values['type'])),
  })
}
