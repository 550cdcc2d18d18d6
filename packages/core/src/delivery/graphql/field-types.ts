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

/** What fields are made with. */
export interface FieldTypes {
  /** The type of what a reference leads to: one content type, or any item. */
  readonly target: (types: readonly string[]) => GraphQLNullableOutputType
  /** Types with fields of their own, by name: each is made once. */
  readonly made: Map<string, GraphQLObjectType>
}

/** Values of fields with where they were read: a group within an item, a block, or the item's own. */
interface Valued {
  readonly values: Readonly<Record<string, unknown>>
  readonly reading: ReadContext
}

type ValuesOf<S> = (source: S) => Valued

const Geo = new GraphQLObjectType({
  name: 'Geo',
  fields: { lat: { type: required(GraphQLFloat) }, lng: { type: required(GraphQLFloat) } },
})

/** The types of values, by the names that the rules of field kinds call them. */
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

/** The fields of a content type, as fields of its object; `owner` begins the names of types within. */
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
  const visible = visibleAs[output.as]
  return {
    type: list ? new GraphQLList(graphql.hasNullEntries ? type : required(type)) : type,
    description: [label, help].filter(Boolean).join('. ') || undefined,
    resolve(source, _args, { countEntries }) {
      const { values, reading } = valuesOf(source)
      // A field may be called as a member that every object has: `toString`.
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      if (visible === null || value === null) return value
      if (!Array.isArray(value)) return visible(value, reading)
      countEntries(value.length)
      return Promise.all(value.map((one) => visible(one, reading)))
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

type Visible = (value: unknown, reading: ReadContext) => unknown

const withReading: Visible = (values, reading) => ({ values, reading })

/** What is shown of a value that is not shown as it is; null: it is. What the caller may not read is null. */
const visibleAs: { readonly [K in GraphOutput['as']]: Visible | null } = {
  value: null,
  item: readItem,
  category: readCategory,
  object: withReading,
  block: withReading,
}

async function readItem(id: unknown, reading: ReadContext): Promise<GraphItem | null> {
  const item = typeof id === 'string' ? await reading.items.load(id) : null
  return item && { ...item, reading }
}

async function readCategory(id: unknown, { categories }: ReadContext): Promise<object | null> {
  if (typeof id !== 'string') return null
  const named = await categories.load(id)
  return named
    ? { id, name: named.name, taxonomyId: named.taxonomy.id, taxonomyName: named.taxonomy.name }
    : null
}

const own = { valuesOf: (source: Valued) => source, inUse: new Set<string>() }

function groupType(types: FieldTypes, name: string, fields: readonly Field[]): GraphQLObjectType {
  const known = types.made.get(name)
  if (known) return known
  const made = new GraphQLObjectType<Valued, GraphContext>({
    name,
    fields: () => fieldConfigs(types, fields, { owner: name, ...own }),
  })
  types.made.set(name, made)
  return made
}

function blockType(types: FieldTypes, name: string, variants: readonly GraphVariant[]): GraphQLUnionType {
  const nameOf = (variant: string) => `${name}_${upperFirst(variant)}`
  const objects = variants.map((variant) => {
    const made = new GraphQLObjectType<Valued, GraphContext>({
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
    types.made.set(made.name, made)
    return made
  })
  return new GraphQLUnionType({
    name,
    types: objects,
    resolveType: ({ values }: Valued) => nameOf(String(values['type'])),
  })
}
