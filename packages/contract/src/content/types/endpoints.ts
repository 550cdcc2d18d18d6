import { z } from 'zod'
import { Description, listInput, listOf, Name } from '../../conventions.ts'
import { endpoint } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleType } from './examples.ts'
import { FieldList } from './fields.ts'
import { ApiName, ContentType, FieldRenames, TypeName, TypeSettings } from './shapes.ts'

const TypeRef = z.string().min(1).max(limits.id).describe("A content type's id or name")

const created = {
  name: 'article',
  displayName: 'Article',
  fields: [{ name: 'title', kind: 'text' as const, required: true }],
}

/** Merge patch of the settings. */
const SettingsPatch = z
  .strictObject(
    Object.fromEntries(
      Object.entries(TypeSettings.shape).map(([name, schema]) => [name, schema.unwrap().optional()]),
    ) as {
      [K in keyof typeof TypeSettings.shape]: z.ZodOptional<
        ReturnType<(typeof TypeSettings.shape)[K]['unwrap']>
      >
    },
  )
  .describe('Settings to change; settings that are not sent stay as they are')

export const types = {
  list: endpoint({
    binding: 'GET /api/content/management/types',
    summary: 'List content types',
    permission: { key: 'admin.types.view', on: 'global' },
    input: z.strictObject({
      name: z.string().max(limits.name).optional().describe('Only the type with this name'),
      limit: listInput.limit,
      cursor: listInput.cursor,
    }),
    output: listOf(ContentType),
    errors: [],
    example: { input: { name: 'article' }, output: { count: 1, items: [exampleType] } },
  }),
  get: endpoint({
    binding: 'GET /api/content/management/types/{id}',
    summary: 'Read a content type',
    permission: { key: 'admin.types.view', on: 'global' },
    input: z.strictObject({ id: TypeRef }),
    output: ContentType,
    errors: ['not_found'],
    example: { input: { id: 'article' }, output: exampleType },
  }),
  create: endpoint({
    binding: 'POST /api/content/management/types',
    summary: 'Create a content type',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject({
      name: TypeName,
      displayName: Name.optional().describe('Default: the name'),
      apiName: ApiName.optional().describe('Default: the name in PascalCase'),
      description: Description.default(''),
      settings: TypeSettings.prefault({}),
      fields: FieldList.default([]).describe('The fields of its items, in order'),
    }),
    output: ContentType,
    success: 201,
    errors: ['name_taken', 'idempotency_mismatch'],
    example: { input: created, output: exampleType },
  }),
  update: endpoint({
    binding: 'PATCH /api/content/management/types/{id}',
    withoutRoom: true,
    summary: 'Change a content type',
    description:
      'A compatible change applies at once. A change that existing items do not fit is 409 `type_incompatible` with their number. ' +
      'It succeeds with `migrate: true`: every such item gets a new version without the values that no longer fit.',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject({
      id: TypeRef,
      name: TypeName.optional(),
      displayName: Name.optional(),
      apiName: ApiName.optional(),
      description: Description.optional(),
      settings: SettingsPatch.optional(),
      fields: FieldList.optional().describe('All fields, in order'),
      renames: FieldRenames.default({}),
      migrate: z.boolean().default(false).describe('Convert the items that do not fit'),
    }),
    output: ContentType,
    errors: [
      'not_found',
      'name_taken',
      'type_locked',
      'type_incompatible',
      'type_in_use',
      'precondition_failed',
    ],
    example: {
      input: { id: 'article', displayName: 'Story' },
      output: { ...exampleType, displayName: 'Story' },
    },
  }),
  delete: endpoint({
    binding: 'DELETE /api/content/management/types/{id}',
    summary: 'Delete a content type that has no items',
    permission: { key: 'admin.types.update', on: 'global' },
    input: z.strictObject({ id: TypeRef }),
    output: z.undefined(),
    success: 204,
    errors: ['not_found', 'type_locked', 'type_in_use', 'precondition_failed'],
    example: { input: { id: 'article' } },
  }),
  lock: endpoint({
    binding: 'POST /api/content/management/types/{id}/lock',
    withoutRoom: true,
    summary: 'Lock a content type against changes',
    permission: { key: 'admin.types.lock', on: 'global' },
    input: z.strictObject({ id: TypeRef }),
    output: ContentType,
    errors: ['not_found', 'idempotency_mismatch'],
    example: { input: { id: 'article' }, output: { ...exampleType, isLocked: true } },
  }),
  unlock: endpoint({
    binding: 'DELETE /api/content/management/types/{id}/lock',
    summary: 'Unlock a content type',
    permission: { key: 'admin.types.lock', on: 'global' },
    input: z.strictObject({ id: TypeRef }),
    output: ContentType,
    errors: ['not_found'],
    example: { input: { id: 'article' }, output: exampleType },
  }),
}
