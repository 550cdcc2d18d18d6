import { z } from 'zod'
import { Id, Name, PackageName, RepositoryRef } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleDraft, exampleItemPath } from './examples.ts'
import { comment, onItem, optionalMembers, versionNumber } from './inputs.ts'
import { FieldValues, Item, itemMembers } from './shapes.ts'

/** What a new item is made of. */
const NewItem = z.strictObject({
  repositoryId: RepositoryRef,
  type: z.string().min(1).max(limits.name).describe('Name of the content type'),
  ...optionalMembers,
  name: Name,
  packageName: PackageName.optional(),
  fields: FieldValues.default({}),
  comment,
})

/** What makes a version of an item. */
export const itemWrites = {
  create: endpoint({
    binding: 'POST /api/items',
    summary: 'Create an item',
    description: 'Makes version 1, a draft. Kinds and formats are checked; `required` is checked at publish.',
    permission: 'items.create',
    input: NewItem,
    output: Item,
    success: 201,
    errors: ['not_found', 'slug_taken', 'idempotency_mismatch'],
    example: {
      input: {
        repositoryId: 'magazine',
        type: 'article',
        name: 'Ink that remembers',
        fields: { title: 'Ink that remembers', readingMinutes: 6 },
      },
      output: { ...exampleDraft, currentVersion: 1, latestVersion: 1 },
    },
  }),
  update: endpoint({
    binding: onBranch('PATCH /api/items/{configId}/{id}'),
    summary: 'Change an item',
    description:
      'A JSON Merge Patch (RFC 7396): only what is sent changes, `null` removes a custom value, lists are replaced whole. ' +
      'With `baseVersion` what others changed meanwhile is kept; what both changed differently is 409 `version_conflict`.',
    permission: 'items.update',
    input: z.strictObject({
      ...onItem,
      ...optionalMembers,
      fields: FieldValues.optional(),
      baseVersion: versionNumber.optional().describe('The version that your change starts from'),
      comment,
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'version_conflict', 'precondition_failed'],
    example: { input: { ...exampleItemPath, fields: { readingMinutes: 7 } }, output: exampleDraft },
  }),
  copy: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/copy'),
    summary: 'Copy an item, within its repository or to another',
    permission: 'items.read',
    input: z.strictObject({
      ...onItem,
      repositoryId: RepositoryRef.optional().describe('Where to; default: the same repository and line'),
      folderId: itemMembers.folderId.optional(),
      name: Name.optional(),
      slug: itemMembers.slug.optional(),
      comment,
    }),
    output: Item,
    success: 201,
    errors: ['not_found', 'slug_taken', 'idempotency_mismatch'],
    example: {
      input: { ...exampleItemPath, name: 'Ink that forgets' },
      output: { ...exampleDraft, name: 'Ink that forgets' },
    },
  }),
  move: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/move'),
    summary: 'Move an item to another folder',
    description: 'Within its repository and line; copy takes it to another.',
    permission: 'items.update',
    input: z.strictObject({
      ...onItem,
      folderId: itemMembers.folderId,
      name: Name.optional(),
      slug: itemMembers.slug.optional(),
      comment,
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...exampleItemPath, folderId: null }, output: exampleDraft },
  }),
  restore: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/versions/{version}/restore'),
    summary: 'Make an old version the newest again',
    description: 'A new version with what the old one held.',
    permission: 'items.update',
    input: z.strictObject({
      ...onItem,
      version: versionNumber.describe('The version to bring back'),
      comment,
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...exampleItemPath, version: 1 }, output: exampleDraft },
  }),
  categorize: endpoint({
    binding: onBranch('PUT /api/items/{configId}/{id}/categories/{categoryId}'),
    summary: 'Add a category to an item',
    permission: 'items.update',
    input: z.strictObject({ ...onItem, categoryId: Id, comment }),
    output: Item,
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: {
      input: { ...exampleItemPath, categoryId: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS' },
      output: exampleDraft,
    },
  }),
  decategorize: endpoint({
    binding: onBranch('DELETE /api/items/{configId}/{id}/categories/{categoryId}'),
    summary: 'Remove a category from an item',
    permission: 'items.update',
    input: z.strictObject({ ...onItem, categoryId: Id, comment }),
    output: Item,
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: {
      input: { ...exampleItemPath, categoryId: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS' },
      output: exampleDraft,
    },
  }),
}
