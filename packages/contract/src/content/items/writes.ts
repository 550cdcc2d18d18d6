import { z } from 'zod'
import { Id, Name, PackageName, RepositoryRef } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleDraft, exampleItemPath } from './examples.ts'
import { writtenLocale } from '../locales/inputs.ts'
import { comment, onItem, optionalMembers, versionNumber } from './inputs.ts'
import { FieldValues, Item, itemMembers } from './shapes.ts'

/** The input of a new item. */
const NewItem = z.strictObject({
  repositoryId: RepositoryRef,
  type: z.string().min(1).max(limits.name).describe('Name of the content type'),
  ...optionalMembers,
  name: Name,
  packageName: PackageName.optional(),
  fields: FieldValues.default({}),
  locale: writtenLocale,
  comment,
})

/** Operations that create a version of an item. */
export const itemWrites = {
  create: endpoint({
    binding: 'POST /api/items',
    summary: 'Create an item',
    description:
      'Creates version 1, a draft. Kinds and formats are checked now; `required` is checked when the item is published.',
    permission: { key: 'items.create', on: 'type', to: 'create' },
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
      'A JSON Merge Patch (RFC 7396): only the members that are sent change, `null` removes a custom value, lists are replaced as a whole. ' +
      'With `baseVersion` the changes that others made since that version are kept; a member that both sides changed differently is 409 `version_conflict`.',
    permission: { key: 'items.update', on: 'item', to: 'change', byLocale: true },
    input: z.strictObject({
      ...onItem,
      ...optionalMembers,
      fields: FieldValues.optional(),
      locale: writtenLocale,
      baseVersion: versionNumber.optional().describe('The version that your change is based on'),
      comment,
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'version_conflict', 'precondition_failed'],
    example: { input: { ...exampleItemPath, fields: { readingMinutes: 7 } }, output: exampleDraft },
  }),
  copy: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/copy'),
    summary: 'Copy an item within its repository or to another one',
    permission: { key: 'items.read', on: 'item', to: 'copy' },
    input: z.strictObject({
      ...onItem,
      repositoryId: RepositoryRef.optional().describe(
        'The target repository. Default: the same repository and branch',
      ),
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
    description:
      'Works only within its repository and branch. To get an item into another repository, use copy.',
    permission: { key: 'items.update', on: 'item', to: 'change' },
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
    summary: 'Restore an old version',
    description: 'Creates a new version with the content of the old one.',
    permission: { key: 'items.update', on: 'item', to: 'change', byLocale: true },
    input: z.strictObject({
      ...onItem,
      version: versionNumber.describe('The version to restore'),
      comment,
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: { ...exampleItemPath, version: 1 }, output: exampleDraft },
  }),
  categorize: endpoint({
    binding: onBranch('PUT /api/items/{configId}/{id}/categories/{categoryId}'),
    summary: 'Add a category to an item',
    permission: { key: 'items.update', on: 'item', to: 'change' },
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
    permission: { key: 'items.update', on: 'item', to: 'change' },
    input: z.strictObject({ ...onItem, categoryId: Id, comment }),
    output: Item,
    errors: ['not_found', 'precondition_failed', 'auto_package_required'],
    example: {
      input: { ...exampleItemPath, categoryId: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS' },
      output: exampleDraft,
    },
  }),
}
