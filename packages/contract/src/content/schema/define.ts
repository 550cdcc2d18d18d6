import type { SchemaType } from '../../api/generated/schema.ts'
import type { ContentOf, FieldDefinition, LocalizedSchema, TypeDefinitionInput } from './infer.ts'

/** The fields that `slugFrom` and `titleField` of a definition can name. */
interface Named<T extends TypeDefinitionInput> {
  readonly settings?: {
    readonly slugFrom?: T['fields'][number]['name'] | null
    readonly titleField?: T['fields'][number]['name'] | null
  }
}

/**
 * Content types that code defines. `createClient<typeof schema>` and `engine.as<typeof schema>` have
 * their fields as types.
 */
export interface Schema<T extends readonly TypeDefinitionInput[] = readonly TypeDefinitionInput[]> {
  /** The content types as `schema.plan` and `schema.apply` take them. */
  readonly types: SchemaType[]
  /** The fields by content type. Only for the compiler: it has no value. */
  readonly content?: ContentOf<T>
  /** The same as calls with `locale: '*'` have them. Only for the compiler: it has no value. */
  readonly localized?: LocalizedSchema<T>
  /** The definitions. Only for the compiler: it has no value. */
  readonly definitions?: T
}

/**
 * Describes a content type. Returns it unchanged, with the literal types of its names, so that
 * `Fields<typeof article>` knows the fields of its items. The service checks it when it is applied.
 * @example
 * const article = defineType({ name: 'article', fields: [{ name: 'title', kind: 'text' }] })
 */
export function defineType<const T extends TypeDefinitionInput>(type: T & Named<T>): T {
  return type
}

/** Describes a field, to use it in several content types. Returns it unchanged. */
export function defineField<const F extends FieldDefinition>(field: F): F {
  return field
}

/** Puts content types together into a schema. */
export function defineSchema<const T extends readonly TypeDefinitionInput[]>(types: T): Schema<T> {
  return { types: types.map(sentType) }
}

function sentType({ fields, ...type }: TypeDefinitionInput): SchemaType {
  const renames = Object.fromEntries(renamesOf(fields))
  // A definition is JSON. Only its types are read-only.
  const sent = structuredClone({ ...type, fields: fields.map(sentField) }) as SchemaType
  return { ...sent, ...(Object.keys(renames).length > 0 && { renames }) }
}

interface Variant {
  readonly name: string
  readonly fields: readonly FieldDefinition[]
}

/** Nested fields are in `fields` of the settings of a group, and of each variant of a union. */
interface Nesting {
  readonly fields?: readonly FieldDefinition[]
  readonly variants?: readonly Variant[]
}

/** Settings of all kinds as those that can nest. */
function nestingOf(settings: FieldDefinition['settings']): Nesting {
  return (settings ?? {}) as Nesting
}

/** The names before of renamed fields, by their path. */
function renamesOf(fields: readonly FieldDefinition[], prefix = ''): [string, string][] {
  return fields.flatMap(({ name, renamedFrom, settings }) => {
    const path = prefix + name
    const { fields: inner = [], variants = [] } = nestingOf(settings)
    return [
      ...(renamedFrom === undefined ? [] : [[path, renamedFrom] satisfies [string, string]]),
      ...renamesOf(inner, `${path}.`),
      ...variants.flatMap((variant) => renamesOf(variant.fields, `${path}.${variant.name}.`)),
    ]
  })
}

/** The field as the API takes it, without `renamedFrom`. */
function sentField({ renamedFrom: _renamedFrom, ...field }: FieldDefinition): object {
  const { fields, variants } = nestingOf(field.settings)
  if (fields) return { ...field, settings: { ...field.settings, fields: fields.map(sentField) } }
  if (!variants) return field
  const sent = variants.map((variant) => ({ ...variant, fields: variant.fields.map(sentField) }))
  return { ...field, settings: { ...field.settings, variants: sent } }
}
