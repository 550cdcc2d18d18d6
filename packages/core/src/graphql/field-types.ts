import type { Field } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInt,
  GraphQLList,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  type GraphQLFieldConfig,
  type GraphQLNullableOutputType,
} from 'graphql'
import type { GraphContext, Reading } from './context.ts'
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
  readonly reading: Reading
}

type ValuesOf<S> = (source: S) => Valued

const Geo = new GraphQLObjectType({
  name: 'Geo',
  fields: { lat: { type: required(GraphQLFloat) }, lng: { type: required(GraphQLFloat) } },
})

/** A whole number that always fits an Int is one. */
const mostInt = 2 ** 31 - 1

/** The fields of a content type, as fields of its object; `owner` begins the names of types within. */
export function fieldConfigs<S>(
  types: FieldTypes,
  fields: readonly Field[],
  { owner, valuesOf, taken }: { owner: string; valuesOf: ValuesOf<S>; taken: ReadonlySet<string> },
): Record<string, GraphQLFieldConfig<S, GraphContext>> {
  return Object.fromEntries(
    fields.map((field) => {
      const name = taken.has(field.name) ? `field_${field.name}` : field.name
      return [name, fieldConfig(types, field, { owner, valuesOf })]
    }),
  )
}

/** Kinds of which an entry of a list may be null: what may not be read, or is gone; and JSON, which may hold it. */
const mayLack: ReadonlySet<Field['kind']> = new Set(['reference', 'asset', 'category', 'json'])

function fieldConfig<S>(
  types: FieldTypes,
  field: Field,
  { owner, valuesOf }: { owner: string; valuesOf: ValuesOf<S> },
): GraphQLFieldConfig<S, GraphContext> {
  const { name, kind, label, help, list } = field
  const type = valueType(types, field, owner)
  const shown = shownValue(field)
  return {
    type: list ? new GraphQLList(mayLack.has(kind) ? type : required(type)) : type,
    description: [label, help].filter(Boolean).join('. ') || undefined,
    resolve(source, _args, { countEntries }) {
      const { values, reading } = valuesOf(source)
      // A field may be called as a member that every object has: `toString`.
      const value = Object.hasOwn(values, name) ? (values[name] ?? null) : null
      if (shown === null || value === null) return value
      if (!Array.isArray(value)) return shown(value, reading)
      countEntries(value.length)
      return Promise.all(value.map((one) => shown(one, reading)))
    },
  }
}

/** Kinds whose values are of one type, whatever their settings; the others are texts. */
const plainTypes: Readonly<Partial<Record<Field['kind'], GraphQLNullableOutputType>>> = {
  number: GraphQLFloat,
  boolean: GraphQLBoolean,
  datetime: Timestamp,
  category: Category,
  geo: Geo,
  json: Json,
}

function valueType(types: FieldTypes, field: Field, owner: string): GraphQLNullableOutputType {
  const name = `${owner}_${upperFirst(field.name)}`
  if (field.kind === 'integer') return isInt(field.settings) ? GraphQLInt : Long
  if (field.kind === 'reference') return types.target(field.settings.types)
  if (field.kind === 'asset') return types.target([])
  if (field.kind === 'group') return groupType(types, name, field.settings.fields)
  if (field.kind === 'union') return blockType(types, name, field.settings.variants)
  return plainTypes[field.kind] ?? GraphQLString
}

function isInt({ min, max }: { min?: number | undefined; max?: number | undefined }): boolean {
  return min !== undefined && max !== undefined && min >= -mostInt && max <= mostInt
}

/** What is shown of a value that is not shown as it is; null: it is. What the caller may not read is null. */
function shownValue({ kind }: Field): ((value: unknown, reading: Reading) => unknown) | null {
  if (kind === 'reference' || kind === 'asset') return readItem
  if (kind === 'category') return readCategory
  return kind === 'group' || kind === 'union' ? (values, reading) => ({ values, reading }) : null
}

async function readItem(id: unknown, reading: Reading): Promise<GraphItem | null> {
  const item = typeof id === 'string' ? await reading.items.load(id) : null
  return item && { ...item, reading }
}

async function readCategory(id: unknown, { categories }: Reading): Promise<object | null> {
  if (typeof id !== 'string') return null
  const named = await categories.load(id)
  return named
    ? { id, name: named.name, taxonomyId: named.taxonomy.id, taxonomyName: named.taxonomy.name }
    : null
}

const own = { valuesOf: (source: Valued) => source, taken: new Set<string>() }

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

function blockType(
  types: FieldTypes,
  name: string,
  variants: readonly { readonly name: string; readonly fields: readonly Field[] }[],
): GraphQLUnionType {
  const nameOf = (variant: string) => `${name}_${upperFirst(variant)}`
  const objects = variants.map((variant) => {
    const made = new GraphQLObjectType<Valued, GraphContext>({
      name: nameOf(variant.name),
      fields: () => ({
        type: { type: required(GraphQLString), resolve: ({ values }) => values['type'] },
        ...fieldConfigs(types, variant.fields, {
          owner: nameOf(variant.name),
          valuesOf: own.valuesOf,
          taken: new Set(['type']),
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
