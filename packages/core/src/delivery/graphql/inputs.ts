import type { ContentType, QueryFilterInput, Field } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputType,
  GraphQLID,
  GraphQLInt,
  type GraphQLInputFieldConfig,
  type GraphQLNullableInputType,
} from 'graphql'
import type { Comparison, GraphInput, GraphType, GraphVariant } from '../../content/fields/rules.ts'
import { comparableFields } from '../../content/types/derived.ts'
import { rulesOf } from '../../content/fields/index.ts'
import { upperFirst } from './names.ts'
import { Json as AnyJson, Long, Timestamp } from './scalars.ts'
import type { Json } from '../../ports/index.ts'

/** Members of every item to filter and sort by, and how they compare. */
const memberComparisons: Readonly<Record<string, Comparison>> = {
  id: 'text',
  name: 'text',
  slug: 'text',
  status: 'text',
  folderId: 'text',
  createdDate: 'number',
  updatedDate: 'number',
  publishedDate: 'number',
}

/** A member or field to filter and sort by: its name in the schema and its path in a query. */
interface ComparedName {
  readonly name: string
  readonly path: string
  readonly comparison: Comparison
}

/**
 * All names to filter and sort the items of a type by. Fields in groups are joined with an
 * underscore: `seo_title`.
 */
export function comparedNames(type: ContentType): readonly ComparedName[] {
  const members = Object.entries(memberComparisons).map(([name, comparison]) => {
    return { name, path: name, comparison }
  })
  const inUse = new Set(['and', 'or', 'not', ...members.map(({ name }) => name)])
  const fields = comparableFields(type.fields).map(({ path, comparison }) => {
    const plain = path.replaceAll('.', '_')
    return { name: inUse.has(plain) ? `field_${plain}` : plain, path: `fields.${path}`, comparison }
  })
  return [...members, ...fields]
}

const scalars = { text: GraphQLString, number: GraphQLFloat, boolean: GraphQLBoolean } as const

/** The input type of operators for each comparison. */
const operators: { readonly [C in Comparison]: GraphQLInputObjectType } = {
  text: operatorsOf('Text_Operators', 'text'),
  number: operatorsOf('Number_Operators', 'number'),
  boolean: operatorsOf('Boolean_Operators', 'boolean'),
}

function operatorsOf(name: string, comparison: Comparison): GraphQLInputObjectType {
  const type = scalars[comparison]
  const one = ['eq', 'ne', ...(comparison === 'boolean' ? [] : ['gt', 'gte', 'lt', 'lte'])]
  const texts = comparison === 'text' ? ['contains', 'startsWith'] : []
  const list = new GraphQLList(new GraphQLNonNull(type))
  const entries: [string, { type: GraphQLInputType }][] = [
    ...[...one, ...texts].map((operator): [string, { type: GraphQLInputType }] => [operator, { type }]),
    ['in', { type: list }],
    ['nin', { type: list }],
    ['exists', { type: GraphQLBoolean }],
  ]
  return new GraphQLInputObjectType({ name, fields: Object.fromEntries(entries) })
}

/**
 * Creates the filter type of a content type: a set of conditions that must all hold, plus `and`,
 * `or` and `not`.
 */
export function filterType(object: string, names: readonly ComparedName[]): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${object}_Filter`,
    description: 'All conditions must hold',
    fields: () => {
      const several = { type: new GraphQLList(new GraphQLNonNull(type)) }
      const conditions = names.map(({ name, comparison }) => [name, { type: operators[comparison] }] as const)
      return { ...Object.fromEntries(conditions), and: several, or: several, not: { type } }
    },
  })
  return type
}

/**
 * Creates the sort type of a content type, with values such as `name_ASC` and `updatedDate_DESC`.
 */
export function sortType(object: string, names: readonly ComparedName[]): GraphQLEnumType {
  const values = names.flatMap(({ name, path }) => [
    [`${name}_ASC`, { value: path }] as const,
    [`${name}_DESC`, { value: `-${path}` }] as const,
  ])
  return new GraphQLEnumType({ name: `${object}_Sort`, values: Object.fromEntries(values) })
}

/** Translates the names of a filter to those of queries, and drops nulls. */
export function queryFilter(filter: GraphFilter, names: ReadonlyMap<string, string>): QueryFilterInput {
  return Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]): [string, QueryFilterInput[string]][] => {
      if (value === null || value === undefined) return []
      if (isList(value)) return [[name, value.map((one) => queryFilter(one, names))]]
      return [[names.get(name) ?? name, name === 'not' ? queryFilter(value, names) : withoutNulls(value)]]
    }),
  )
}

function isList(value: GraphFilter | readonly GraphFilter[]): value is readonly GraphFilter[] {
  return Array.isArray(value)
}

/** A filter argument as GraphQL passes it to a resolver. */
export interface GraphFilter {
  readonly [name: string]: GraphFilter | readonly GraphFilter[] | null | undefined
}

function withoutNulls(operators: object): QueryFilterInput {
  return Object.fromEntries(Object.entries(operators).filter(([, value]) => value !== null))
}

const coordinate = { type: new GraphQLNonNull(GraphQLFloat) }
const GeoInput = new GraphQLInputObjectType({
  name: 'Geo_Input',
  fields: { lat: coordinate, lng: coordinate },
})

/**
 * Creates the input type of a content type's fields. A block is sent under the name of its variant:
 * `{ quote: { … } }`.
 */
export function fieldsInput(name: string, fields: readonly Field[]): GraphQLInputObjectType {
  const inputs = fields.map((field): [string, GraphQLInputFieldConfig] => {
    const type = inputType(inputOf(field), `${name}_${upperFirst(field.name)}`)
    return [field.name, { type: field.list ? new GraphQLList(new GraphQLNonNull(type)) : type }]
  })
  return new GraphQLInputObjectType({ name, fields: Object.fromEntries(inputs) })
}

/** Input types by the names that field kinds use for them. */
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

/** Converts values from their GraphQL form to the form that items store. */
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
  // It is not a list and not null, so it is an object.
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
