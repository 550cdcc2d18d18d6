import { z } from 'zod'
import { Description, Name } from '../../conventions.ts'
import { limits } from '../../limits.ts'
import { FieldList } from '../types/fields.ts'
import { ApiName, ContentType, FieldRenames, TypeName, TypeSettings } from '../types/shapes.ts'

/** A content type as code defines it: everything but ids, dates and the lock. */
export const TypeDefinition = ContentType.pick({
  name: true,
  displayName: true,
  apiName: true,
  description: true,
  settings: true,
  fields: true,
}).meta({ id: 'TypeDefinition', description: 'A content type as code defines it' })

/** A content type as code defines it. */
export type TypeDefinition = z.output<typeof TypeDefinition>

/** A content type of a schema, as sent. */
export const SchemaType = z.strictObject({
  name: TypeName,
  renamedFrom: TypeName.optional().describe(
    'The name that the content type had before. Ignored when there is no such type any more',
  ),
  displayName: Name.optional().describe('Default: the name'),
  apiName: ApiName.optional().describe('Default: the name in PascalCase'),
  description: Description.default(''),
  settings: TypeSettings.prefault({}),
  fields: FieldList.default([]).describe('The fields of its items, in order'),
  renames: FieldRenames.default({}),
})

/** A content type of a schema, as sent. */
export type SchemaType = z.output<typeof SchemaType>

/** What `schema.plan` and `schema.apply` share. */
export const schemaInput = {
  types: z
    .array(SchemaType)
    .max(limits.schemaTypes)
    .refine(
      (types) => new Set(types.map(({ name }) => name)).size === types.length,
      'two content types have the same name',
    )
    .describe('The content types that the schema owns, each of them whole'),
  prune: z
    .boolean()
    .default(false)
    .describe('Whether to delete the content types that the schema does not name'),
}

/** A field that a schema changes. */
const FieldChange = z.object({
  path: z.string().describe('`title`, `seo.title` in a group, `blocks.quote.words` in a variant'),
  kind: z.enum(['create', 'update', 'rename', 'delete']),
  from: z.string().nullable().describe('The name before, of a renamed field'),
  members: z.array(z.string()).describe('What changes in the field: `required`, `settings.maxLength`'),
})

/** What a schema does to one content type and its items. */
export const SchemaChange = z
  .object({
    type: z.string().describe('The name of the content type'),
    kind: z.enum(['create', 'update', 'delete']),
    renamedFrom: z.string().nullable().describe('The name before, of a renamed content type'),
    members: z
      .array(z.string())
      .describe(
        'What changes besides single fields: `displayName`, `settings.slugFrom`, `fields` for their order',
      ),
    fields: z.array(FieldChange).describe('The fields that change'),
    convert: z
      .int()
      .min(0)
      .describe('Number of items that do not fit and get a new version, of those that you may read'),
    lose: z.int().min(0).describe('Number of these items whose new version lacks values of the old one'),
    needsMigrate: z.boolean().describe('Whether the change needs `migrate: true`'),
    problem: z
      .string()
      .nullable()
      .describe('Why the change cannot be applied: the type is locked, or has items; null if it can'),
  })
  .meta({ id: 'SchemaChange', description: 'What a schema does to one content type and its items' })

/** What a schema does to one content type and its items. */
export type SchemaChange = z.output<typeof SchemaChange>

/** What a schema does. */
export const SchemaPlan = z
  .object({
    planId: z.string().describe('Identifies the schema and the content types that it was compared with'),
    applied: z.boolean(),
    changes: z.array(SchemaChange).describe('Empty: the content types are as the schema says'),
    others: z
      .array(z.string())
      .describe('Names of content types that the schema does not name, and that stay'),
  })
  .meta({ id: 'SchemaPlan', description: 'What a schema does' })

/** What a schema does. */
export type SchemaPlan = z.output<typeof SchemaPlan>
