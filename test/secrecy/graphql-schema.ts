import type { Api, GraphqlResult } from '@quire/contract'
import { repository as configId } from './world-content.ts'

/** A type of a schema. Members that do not apply are absent. */
interface SchemaType {
  readonly kind: string
  readonly name: string
  readonly fields: readonly SchemaField[] | null
  readonly inputFields: readonly SchemaField[] | null
  readonly enumValues: readonly { readonly name: string }[] | null
  readonly possibleTypes: readonly { readonly name: string }[] | null
}

interface SchemaField {
  readonly name: string
  readonly type: TypeRef
}

interface TypeRef {
  readonly kind: string
  readonly name: string | null
  readonly ofType?: TypeRef | null
}

/** The result of introspection, by type name. */
export type Schema = ReadonlyMap<string, SchemaType>

const introspection = `{ __schema { types {
  kind name fields { name type { ...T } } inputFields { name type { ...T } } enumValues { name } possibleTypes { name }
} } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

/** The schema that the caller gets. */
export async function schemaOf(api: Api): Promise<Schema> {
  const { data } = await api.graphql.execute({ configId, query: introspection })
  // The result has the shape of the query.
  const { __schema: schema } = data as { __schema: { types: SchemaType[] } } & GraphqlResult['data']
  return new Map(schema.types.map((type) => [type.name, type]))
}

/** The root fields that return lists, with the types of their items. */
export function listsIn(schema: Schema): readonly { readonly list: string; readonly object: string }[] {
  return (schema.get('Query')?.fields ?? []).flatMap(({ name, type }) => {
    const page = leafOf(type)
    return page.endsWith('_Page') ? [{ list: name, object: page.slice(0, -'_Page'.length) }] : []
  })
}

/** The names of an enumeration's values, or of the members of an input or object. */
export function namesIn(schema: Schema, name: string): readonly string[] {
  const type = schema.get(name)
  const members = type?.enumValues ?? type?.inputFields ?? type?.fields ?? []
  return members.map((member) => member.name)
}

/** The type of an input's member. */
export function inputIn(schema: Schema, input: string, member: string): string {
  const found = schema.get(input)?.inputFields?.find(({ name }) => name === member)
  return found ? leafOf(found.type) : ''
}

/** The rendition that is requested for every item. */
export const askedRendition = { name: 'thumbnail', format: 'webp' } as const

const renditionGiven = `(name: "${askedRendition.name}", format: "${askedRendition.format}")`

/**
 * Adds the fragments that a document uses. A document may have 2 000 tokens, so each selection
 * occurs only once.
 */
export function withFragments(schema: Schema, document: string): string {
  const spread = new Set([...document.matchAll(/\.\.\.Every_(\w+)/g)].map(([, name = '']) => name))
  const fragments = [...spread].map(
    (name) => `fragment Every_${name} on ${name} { ${everyField(schema, name, 0)} }`,
  )
  return [document, ...fragments].join('\n')
}

/**
 * All fields that a type has in the schema. With one level, also all fields of the items that they
 * lead to (see `withFragments`); with none, only their ids. New fields in the schema are included
 * without a change here.
 */
export function everyField(schema: Schema, typeName: string, levels: 0 | 1): string {
  const { kind = '', fields, possibleTypes } = schema.get(typeName) ?? {}
  const own = fields?.map((field) => selected(schema, field, levels)) ?? []
  if (kind === 'OBJECT') return own.join(' ')
  const members = new Set(fields?.map(({ name }) => name))
  const variants = (possibleTypes ?? []).map(({ name }) => {
    const more = schema.get(name)?.fields?.filter((field) => !members.has(field.name)) ?? []
    const set = more.map((field) => selected(schema, field, levels)).join(' ')
    return set === '' ? '' : `... on ${name} { ${set} }`
  })
  return ['__typename', ...own, ...variants].join(' ')
}

function selected(schema: Schema, { name, type }: SchemaField, levels: 0 | 1): string {
  const given = name === 'rendition' ? `${name}${renditionGiven}` : name
  const leaf = leafOf(type)
  if (!['OBJECT', 'INTERFACE', 'UNION'].includes(schema.get(leaf)?.kind ?? '')) return given
  if (!isItem(schema, leaf)) return `${given} { ${everyField(schema, leaf, levels)} }`
  return `${given} { __typename ${levels > 0 ? `...Every_${leaf}` : 'id'} }`
}

function isItem(schema: Schema, name: string): boolean {
  return name === 'Item' || (schema.get('Item')?.possibleTypes ?? []).some((type) => type.name === name)
}

function leafOf({ name, ofType }: TypeRef): string {
  return ofType ? leafOf(ofType) : (name ?? '')
}
