import type { ContentType, QueryFilterInput } from '@quire/contract'
import {
  GraphQLBoolean,
  GraphQLEnumType,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  type GraphQLInputType,
} from 'graphql'
import type { Comparison } from '../../content/fields/rules.ts'
import { comparableFields } from '../../content/types/derived.ts'

/** Members of every item that filters and sorts name, and how they compare. */
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

/** What filters and sorts of a type are named by: in the schema, and in a query. */
export interface ComparedName {
  readonly name: string
  readonly path: string
  readonly comparison: Comparison
}

/** Every name that items of a type are filtered and sorted by. Fields in groups are named with an underscore: `seo_title`. */
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

/** The operators of each comparison. */
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

/** The filter of a type: conditions that all hold, with `and`, `or` and `not`. */
export function filterType(object: string, names: readonly ComparedName[]): GraphQLInputObjectType {
  const type: GraphQLInputObjectType = new GraphQLInputObjectType({
    name: `${object}_Filter`,
    description: 'All of it must hold',
    fields: () => {
      const several = { type: new GraphQLList(new GraphQLNonNull(type)) }
      const conditions = names.map(({ name, comparison }) => [name, { type: operators[comparison] }] as const)
      return { ...Object.fromEntries(conditions), and: several, or: several, not: { type } }
    },
  })
  return type
}

/** The orders of a type: `name_ASC`, `updatedDate_DESC`. */
export function sortType(object: string, names: readonly ComparedName[]): GraphQLEnumType {
  const values = names.flatMap(({ name, path }) => [
    [`${name}_ASC`, { value: path }] as const,
    [`${name}_DESC`, { value: `-${path}` }] as const,
  ])
  return new GraphQLEnumType({ name: `${object}_Sort`, values: Object.fromEntries(values) })
}

/** A filter as it came, in the names of queries. */
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

/** A filter as an execution gives it. */
export interface GraphFilter {
  readonly [name: string]: GraphFilter | readonly GraphFilter[] | null | undefined
}

function withoutNulls(operators: object): QueryFilterInput {
  return Object.fromEntries(Object.entries(operators).filter(([, value]) => value !== null))
}
