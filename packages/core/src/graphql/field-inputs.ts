import type { Field } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputFieldConfig,
  type GraphQLNullableInputType,
} from 'graphql'
import type { Json } from '../ports/index.ts'
import { upperFirst } from './names.ts'
import { Json as AnyJson, Long, Timestamp } from './scalars.ts'

const coordinate = { type: new GraphQLNonNull(GraphQLFloat) }
const GeoInput = new GraphQLInputObjectType({
  name: 'Geo_Input',
  fields: { lat: coordinate, lng: coordinate },
})

/** The fields of a content type as what is sent of them. A block is sent under the name of its variant: `{ quote: { … } }`. */
export function fieldsInput(name: string, fields: readonly Field[]): GraphQLInputObjectType {
  const inputs = fields.map((field): [string, GraphQLInputFieldConfig] => {
    const type = inputType(field, `${name}_${upperFirst(field.name)}`)
    return [field.name, { type: field.list ? new GraphQLList(new GraphQLNonNull(type)) : type }]
  })
  return new GraphQLInputObjectType({ name, fields: Object.fromEntries(inputs) })
}

/** Kinds whose values are sent as one type, whatever their settings; the others are texts. */
const plainInputs: Readonly<Partial<Record<Field['kind'], GraphQLNullableInputType>>> = {
  number: GraphQLFloat,
  integer: Long,
  boolean: GraphQLBoolean,
  datetime: Timestamp,
  reference: GraphQLID,
  asset: GraphQLID,
  category: GraphQLID,
  geo: GeoInput,
  json: AnyJson,
}

function inputType(field: Field, name: string): GraphQLNullableInputType {
  if (field.kind === 'union') return blockInput(name, field.settings.variants)
  if (field.kind !== 'group') return plainInputs[field.kind] ?? GraphQLString
  return field.settings.fields.length === 0 ? AnyJson : fieldsInput(name, field.settings.fields)
}

function blockInput(
  name: string,
  variants: readonly { readonly name: string; readonly fields: readonly Field[] }[],
): GraphQLInputObjectType {
  const inputs = variants.map((variant): [string, GraphQLInputFieldConfig] => {
    const own = `${name}_${upperFirst(variant.name)}`
    return [variant.name, { type: variant.fields.length === 0 ? AnyJson : fieldsInput(own, variant.fields) }]
  })
  return new GraphQLInputObjectType({ name, isOneOf: true, fields: Object.fromEntries(inputs) })
}

/** Values as they came, as items keep them. */
export function sentValues(fields: readonly Field[], values: Values): { [name: string]: Json } {
  const known = new Map(fields.map((field) => [field.name, field]))
  return Object.fromEntries(
    Object.entries(values).map(([name, value]): [string, Json] => {
      const field = known.get(name)
      return [name, field ? sentValue(field, value) : value]
    }),
  )
}

interface Values {
  readonly [name: string]: Json
}

function sentValue(field: Field, value: Json): Json {
  if (Array.isArray(value)) return value.map((one: Json) => sentValue(field, one))
  if (typeof value !== 'object' || value === null) return value
  // What is no list here is an object.
  const values = value as Values
  if (field.kind === 'group') return sentValues(field.settings.fields, values)
  return field.kind === 'union' ? sentBlock(field.settings.variants, values) : value
}

function sentBlock(
  variants: readonly { readonly name: string; readonly fields: readonly Field[] }[],
  value: Values,
): Json {
  const [[type, values] = ['', {}]] = Object.entries(value)
  const fields = variants.find(({ name }) => name === type)?.fields ?? []
  return { ...sentValues(fields, Object(values)), type }
}
