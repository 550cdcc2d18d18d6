import { z } from 'zod'
import { Id } from '../conventions.ts'
import { limits } from '../limits.ts'

const FieldName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be camelCase: a lower-case letter, then letters and digits')
  .refine((name) => name !== 'constructor' && name !== 'prototype', 'is reserved')
  .describe('The name of the value in `fields`, camelCase')

const count = z.int().min(0).max(1_000_000)
const list = (what: string) => z.array(z.string().min(1).max(200)).max(500).describe(what)

const bounds = {
  min: z.number().optional().describe('The smallest value allowed'),
  max: z.number().optional().describe('The largest value allowed'),
}

const dates = {
  min: z.iso.date().optional().describe('The first day allowed, YYYY-MM-DD'),
  max: z.iso.date().optional().describe('The last day allowed, YYYY-MM-DD'),
}

/** The settings of each field kind (DESIGN "Repositories and content types"). */
export const fieldSettings = {
  text: z.strictObject({
    minLength: count.optional().describe('Characters at least'),
    maxLength: count.optional().describe('Characters at most'),
    pattern: z
      .string()
      .max(500)
      .optional()
      .describe('An RE2 regular expression that the whole value must match'),
    options: list('The only values allowed').optional(),
  }),
  richText: z.strictObject({
    format: z.enum(['html', 'markdown']).default('html').describe('html is sanitised when it is saved'),
  }),
  number: z.strictObject({
    ...bounds,
    step: z.number().positive().optional().describe('Values are multiples of this'),
  }),
  integer: z.strictObject({
    ...bounds,
    step: z.int().positive().optional().describe('Values are multiples of this'),
  }),
  boolean: z.strictObject({}),
  date: z.strictObject(dates),
  datetime: z.strictObject(bounds),
  reference: z.strictObject({
    types: list('Names of the content types that may be referred to; empty: any').default([]),
    onDelete: z
      .enum(['restrict', 'unset'])
      .default('unset')
      .describe('What deleting the target does: refuse, or remove the value'),
  }),
  asset: z.strictObject({
    mimeTypes: list('MIME types allowed, `image/*` for a family; empty: any').default([]),
    maxBytes: z.int().min(0).optional().describe('Bytes at most'),
  }),
  category: z.strictObject({
    taxonomyId: Id.nullable()
      .default(null)
      .describe('The taxonomy that categories are taken from; null: any'),
  }),
  url: z.strictObject({}),
  email: z.strictObject({}),
  slug: z.strictObject({}),
  color: z.strictObject({}),
  geo: z.strictObject({}),
  json: z.strictObject({
    schema: z
      .record(z.string(), z.unknown())
      .nullable()
      .default(null)
      .describe('A JSON Schema that values must satisfy'),
  }),
} as const

const common = {
  name: FieldName,
  label: z.string().max(limits.name).default('').describe('Name for people; empty: the name'),
  required: z.boolean().default(false).describe('Whether a publish needs a value'),
  unique: z
    .boolean()
    .default(false)
    .describe('Whether no two items of the type on a line may have the same value'),
  list: z.boolean().default(false).describe('Whether the value is a list'),
  default: z.unknown().optional().describe('The value of a new item that gives none'),
  help: z.string().max(1000).default('').describe('A hint for authors'),
  searchable: z.boolean().default(true).describe('Whether full-text search finds the value'),
}

function kind<K extends string, S extends z.ZodType>(name: K, settings: S) {
  return z.strictObject({ ...common, kind: z.literal(name), settings })
}

const scalarFields = [
  kind('text', fieldSettings.text.prefault({})),
  kind('richText', fieldSettings.richText.prefault({})),
  kind('number', fieldSettings.number.prefault({})),
  kind('integer', fieldSettings.integer.prefault({})),
  kind('boolean', fieldSettings.boolean.prefault({})),
  kind('date', fieldSettings.date.prefault({})),
  kind('datetime', fieldSettings.datetime.prefault({})),
  kind('reference', fieldSettings.reference.prefault({})),
  kind('asset', fieldSettings.asset.prefault({})),
  kind('category', fieldSettings.category.prefault({})),
  kind('url', fieldSettings.url.prefault({})),
  kind('email', fieldSettings.email.prefault({})),
  kind('slug', fieldSettings.slug.prefault({})),
  kind('color', fieldSettings.color.prefault({})),
  kind('geo', fieldSettings.geo.prefault({})),
  kind('json', fieldSettings.json.prefault({})),
] as const

/** A field without fields of its own. */
export type ScalarField = z.output<(typeof scalarFields)[number]>

interface CommonField extends z.output<z.ZodObject<typeof common>> {}

/** A field of fields: its value is an object. */
export interface GroupField extends CommonField {
  kind: 'group'
  settings: { fields: Field[] }
}

/** "Blocks": a value is an object with `type`, the name of one of the variants. */
export interface UnionField extends CommonField {
  kind: 'union'
  settings: { variants: { name: string; label: string; fields: Field[] }[] }
}

/** A field of a content type. */
export type Field = ScalarField | GroupField | UnionField

type FieldInput =
  | z.input<(typeof scalarFields)[number]>
  | (z.input<z.ZodObject<typeof common>> & { kind: 'group'; settings: { fields: FieldInput[] } })
  | (z.input<z.ZodObject<typeof common>> & {
      kind: 'union'
      settings: { variants: { name: string; label?: string | undefined; fields: FieldInput[] }[] }
    })

const nested: z.ZodType<Field[], FieldInput[]> = z.lazy(() => Fields)

const group = z.strictObject({
  ...common,
  kind: z.literal('group'),
  settings: z.strictObject({ fields: nested.describe('The fields of the group') }),
})

const union = z.strictObject({
  ...common,
  kind: z.literal('union'),
  settings: z.strictObject({
    variants: z
      .array(
        z.strictObject({
          name: FieldName,
          label: z.string().max(limits.name).default('').describe('Name for people; empty: the name'),
          fields: nested.describe('The fields of the variant'),
        }),
      )
      .min(1)
      .max(50)
      .describe('The kinds of block; a value is `{ type: <name>, … }`'),
  }),
})

/** One field of a content type, by its kind. */
export const Field: z.ZodType<Field, FieldInput> = z
  .discriminatedUnion('kind', [...scalarFields, group, union])
  .meta({ id: 'Field', description: 'A field of a content type' })

/** The fields of a content type or group: names are unique. */
export const Fields: z.ZodType<Field[], FieldInput[]> = z
  .array(Field)
  .max(limits.fields)
  .refine(
    (fields) => new Set(fields.map((field) => field.name)).size === fields.length,
    'two fields have the same name',
  )

/** The kinds of field. */
export type FieldKind = Field['kind']
