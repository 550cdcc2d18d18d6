import { z } from 'zod'
import { limits } from '../../limits.ts'
import { scalarKinds, type ScalarKind } from './field-kinds.ts'

const FieldName = z
  .string()
  .max(64)
  .regex(/^[a-z][a-zA-Z0-9]*$/, 'must be camelCase: a lower-case letter, then letters and digits')
  .refine((name) => name !== 'constructor' && name !== 'prototype', 'is reserved')
  .describe('The name of the value in `fields`, camelCase')

const common = {
  name: FieldName,
  label: z.string().max(limits.name).default('').describe('Display name; empty: the name'),
  required: z.boolean().default(false).describe('Whether an item needs a value to be published'),
  unique: z
    .boolean()
    .default(false)
    .describe('Whether the value must be unique among the items of the type on a branch'),
  list: z.boolean().default(false).describe('Whether the value is a list'),
  maxItems: z
    .int()
    .min(1)
    .max(limits.listItems)
    .optional()
    .describe(
      `Maximum number of entries of a list. Default: ${limits.listDefault}, checked only for new values`,
    ),
  default: z.unknown().optional().describe('The value of a new item if none is given'),
  help: z.string().max(1000).default('').describe('A hint for authors'),
  searchable: z.boolean().default(true).describe('Whether full-text search finds the value'),
  localized: z
    .boolean()
    .optional()
    .describe('Whether the value has a version for each locale, in repositories with locales'),
  fallbackCounts: z
    .boolean()
    .optional()
    .describe(
      'For a localized field that is `required`: whether a locale can be published with the value of its fallback',
    ),
}

interface CommonField extends z.output<z.ZodObject<typeof common>> {}
type CommonInput = z.input<z.ZodObject<typeof common>>

type Scalars = typeof scalarKinds

/** The settings of each kind without nested fields. */
type ScalarSettings = { [K in keyof Scalars]: z.output<Scalars[K]['settings']> }

/** The settings of each kind with nested fields. */
interface NestingSettings {
  /** A value is an object. */
  group: { fields: Field[] }
  /** "Blocks": a value is an object whose `type` is the name of a variant. */
  union: { variants: { name: string; label: string; fields: Field[] }[] }
}

/** The settings of a field, by its kind. */
export interface FieldSettings extends ScalarSettings, NestingSettings {}

/** The kinds of field. */
export type FieldKind = keyof FieldSettings

/** A field of one kind. */
export interface FieldOf<K extends FieldKind> extends CommonField {
  kind: K
  settings: FieldSettings[K]
}

/** A field of a content type. */
export type Field = { [K in FieldKind]: FieldOf<K> }[FieldKind]

type ScalarInput = {
  [K in keyof Scalars]: CommonInput & { kind: K; settings?: z.input<Scalars[K]['settings']> | undefined }
}[keyof Scalars]

/** A field of a content type, as sent. */
export type FieldInput =
  | ScalarInput
  | (CommonInput & { kind: 'group'; settings: { fields: FieldInput[] } })
  | (CommonInput & {
      kind: 'union'
      settings: { variants: { name: string; label?: string | undefined; fields: FieldInput[] }[] }
    })

const nested: z.ZodType<Field[], FieldInput[]> = z.lazy(() => FieldList)

/** Nested fields: those of a group, or of one variant of a union. */
export interface InnerFields {
  /** Their path in the field: `settings.fields`. */
  readonly path: string
  /** The name of the variant, which a value has in `type`; null in a group. */
  readonly variant: string | null
  readonly fields: readonly Field[]
}

interface NestingKind<S> {
  readonly settings: z.ZodType<S>
  readonly inner: (settings: S) => InnerFields[]
  /** The settings with changed nested fields. */
  readonly mapInner: (settings: S, map: (fields: Field[]) => Field[]) => S
}

const nestingKinds: { readonly [K in keyof NestingSettings]: NestingKind<NestingSettings[K]> } = {
  group: {
    settings: z.strictObject({ fields: nested.describe('The fields of the group') }),
    inner: ({ fields }) => [{ path: 'settings.fields', variant: null, fields }],
    mapInner: ({ fields }, map) => ({ fields: map(fields) }),
  },
  union: {
    settings: z.strictObject({
      variants: z
        .array(
          z.strictObject({
            name: FieldName,
            label: z.string().max(limits.name).default('').describe('Display name; empty: the name'),
            fields: nested.describe('The fields of the variant'),
          }),
        )
        .min(1)
        .max(limits.variants)
        .describe('The variants; a value is `{ type: <name>, … }`'),
    }),
    inner: ({ variants }) =>
      variants.map(({ name, fields }, index) => ({
        path: `settings.variants.${index}.fields`,
        variant: name,
        fields,
      })),
    mapInner: ({ variants }, map) => ({
      variants: variants.map((variant) => ({ ...variant, fields: map(variant.fields) })),
    }),
  },
}

/** The nested fields of a field; empty for most kinds. */
export function innerFields(field: Field): readonly InnerFields[] {
  if (isScalarField(field)) return []
  // The table has an entry for each kind, so this entry fits the settings of the field.
  const { inner } = nestingKinds[field.kind] as NestingKind<typeof field.settings>
  return inner(field.settings)
}

/** A field with changed nested fields; most kinds have none. */
export function mapInnerFields(field: Field, map: (fields: Field[]) => Field[]): Field {
  if (isScalarField(field)) return field
  const { mapInner } = nestingKinds[field.kind] as NestingKind<typeof field.settings>
  return { ...field, settings: mapInner(field.settings, map) } as Field
}

/** All fields, including nested ones. */
export function everyField(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [
    field,
    ...innerFields(field).flatMap((inner) => everyField(inner.fields)),
  ])
}

/** A field without nested fields. */
export type ScalarField = { [K in keyof Scalars]: FieldOf<K> }[keyof Scalars]

/** Whether a field has no nested fields. */
export function isScalarField(field: Field): field is ScalarField {
  return Object.hasOwn(scalarKinds, field.kind)
}

/** The description of the kind of a field without nested fields. */
export function scalarKindOf({ kind }: ScalarField): ScalarKind<z.ZodType<ScalarField['settings']>> {
  return scalarKinds[kind]
}

/** Every kind of field, in the order of the OpenAPI document. */
export const fieldKinds = [...Object.keys(scalarKinds), ...Object.keys(nestingKinds)] as readonly FieldKind[]

function fieldSchema(kind: string, settings: z.ZodType) {
  return z.strictObject({ ...common, kind: z.literal(kind), settings })
}

const schemas = [
  ...Object.entries(scalarKinds).map(([kind, { settings }]: [string, ScalarKind]) =>
    fieldSchema(kind, settings.prefault({})),
  ),
  ...Object.entries(nestingKinds).map(([kind, { settings }]) => fieldSchema(kind, settings)),
]

/** A field of a content type. The schemas and the types are made from the same tables. */
export const Field = z
  .discriminatedUnion('kind', schemas as [(typeof schemas)[number]])
  .meta({ id: 'Field', description: 'A field of a content type' }) as z.ZodType<Field, FieldInput>

/** The fields of a content type or group. Their names are unique. */
export const FieldList: z.ZodType<Field[], FieldInput[]> = z
  .array(Field)
  .max(limits.fields)
  .refine(
    (fields) => new Set(fields.map((field) => field.name)).size === fields.length,
    'two fields have the same name',
  )
