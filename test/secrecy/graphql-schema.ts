import type { Api, GraphqlResult } from '@quire/contract'
import { repository as configId } from './world-content.ts'

/** A type of a schema, with its names alone where it has no more. */
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

/** What introspection answers, by the names of types. */
export type Schema = ReadonlyMap<string, SchemaType>

const introspection = `{ __schema { types {
  kind name fields { name type { ...T } } inputFields { name type { ...T } } enumValues { name } possibleTypes { name }
} } }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

/** The schema as the caller is told it. */
export async function schemaOf(api: Api): Promise<Schema> {
  const { data } = await api.graphql.execute({ configId, query: introspection })
  // The result of a query is as it asks.
  const { __schema: schema } = data as { __schema: { types: SchemaType[] } } & GraphqlResult['data']
  return new Map(schema.types.map((type) => [type.name, type]))
}

/** The fields of a type that lead to lists: what each content type is asked by. */
export function listsIn(schema: Schema): readonly { readonly list: string; readonly object: string }[] {
  return (schema.get('Query')?.fields ?? []).flatMap(({ name, type }) => {
    const page = leafOf(type)
    return page.endsWith('_Page') ? [{ list: name, object: page.slice(0, -'_Page'.length) }] : []
  })
}

/** Names of an enumeration, or of the members of an input or an object. */
export function namesIn(schema: Schema, name: string): readonly string[] {
  const type = schema.get(name)
  const members = type?.enumValues ?? type?.inputFields ?? type?.fields ?? []
  return members.map((member) => member.name)
}

/** The type of a member of an input. */
export function inputIn(schema: Schema, input: string, member: string): string {
  const found = schema.get(input)?.inputFields?.find(({ name }) => name === member)
  return found ? leafOf(found.type) : ''
}

/** The rendition that every item is asked for. */
export const askedRendition = { name: 'thumbnail', format: 'webp' } as const

const renditionGiven = `(name: "${askedRendition.name}", format: "${askedRendition.format}")`

/** A document with the fragments that are spread in it: a document of 2 000 tokens says each but once. */
export function withFragments(schema: Schema, document: string): string {
  const spread = new Set([...document.matchAll(/\.\.\.Every_(\w+)/g)].map(([, name = '']) => name))
  const fragments = [...spread].map(
    (name) => `fragment Every_${name} on ${name} { ${everyField(schema, name, 0)} }`,
  )
  return [document, ...fragments].join('\n')
}

/**
 * All fields that a type has in the schema, and at one level of the items that they lead to as well (`withFragments`); at none, their ids.
 * A field that is new in the schema is asked for without a change here.
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
