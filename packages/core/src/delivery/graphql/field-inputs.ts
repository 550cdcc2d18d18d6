import type { Field } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputFieldConfig,
  type GraphQLNullableInputType,
} from 'graphql'
import { rulesOf } from '../../content/fields/index.ts'
import type { GraphInput, GraphType, GraphVariant } from '../../content/fields/rules.ts'
import type { Json } from '../../ports/index.ts'
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
    const type = inputType(inputOf(field), `${name}_${upperFirst(field.name)}`)
    return [field.name, { type: field.list ? new GraphQLList(new GraphQLNonNull(type)) : type }]
  })
  return new GraphQLInputObjectType({ name, fields: Object.fromEntries(inputs) })
}

/** The types of values, by the names that the rules of field kinds call them. */
const valueInputs: { readonly [T in GraphType]: GraphQLNullableInputType } = {
  String: GraphQLString,
  ID: GraphQLID,
  Boolean: GraphQLBoolean,
  Int: GraphQLInt,
  Float: GraphQLFloat,
  Long,
  Timestamp,
  JSON: AnyJson,
  Geo: GeoInput,
}

function inputOf(field: Field): GraphInput {
  return rulesOf(field).graphql.input(field.settings)
}

function inputType(input: GraphInput, name: string): GraphQLNullableInputType {
  if (input.as === 'value') return valueInputs[input.type]
  return input.as === 'object' ? fieldsInput(name, input.fields) : blockInput(name, input.variants)
}

function blockInput(name: string, variants: readonly GraphVariant[]): GraphQLInputObjectType {
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
  const input = inputOf(field)
  if (input.as === 'object') return sentValues(input.fields, values)
  return input.as === 'block' ? sentBlock(input.variants, values) : value
}

function sentBlock(variants: readonly GraphVariant[], value: Values): Json {
  const [[type, values] = ['', {}]] = Object.entries(value)
  const fields = variants.find(({ name }) => name === type)?.fields ?? []
  return { ...sentValues(fields, Object(values)), type }
}
