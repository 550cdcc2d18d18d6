import { z } from 'zod'
import { Id, listInput, listOf, Name, PackageName, pickInput, RepositoryRef, UnixMs } from '../conventions.ts'
import { endpoint, onLine } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { exampleDraft, exampleItem, exampleItemPath } from './examples.ts'
import { FieldChange, FieldValues, IssueShape, Item, itemMembers, ReadItem, VersionInfo } from './shapes.ts'

const onRepository = { configId: RepositoryRef, packageName: PackageName.optional() }
const onItem = { ...onRepository, id: Id.describe('The item') }
const optionalMembers = z.object(itemMembers).partial().shape
const dryRun = z.boolean().optional().describe('Answer what would happen and change nothing')
const version = z.union([z.enum(['latest', 'latestpublished']), z.string().regex(/^[1-9]\d{0,9}$/, 'must be a number')])
const versionNumber = z.int().min(1).max(9_999_999_999)
const published = { ...exampleItem }

/** What a new item is made of. */
const NewItem = z.strictObject({
  repositoryId: RepositoryRef,
  type: z.string().min(1).max(limits.name).describe('Name of the content type'),
  ...optionalMembers,
  name: Name,
  packageName: PackageName.optional(),
  fields: FieldValues.default({}),
})

export const items = {
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
  getBySlug: endpoint({
    binding: onLine('GET /api/items/{configId}/slug/{slug}'),
    summary: 'Read an item by its slug',
    permission: 'items.read',
    input: z.strictObject({ ...onRepository, slug: z.string().min(1).describe('The slug'), ...pickInput }),
    output: ReadItem,
    errors: ['not_found'],
    example: { input: { configId: 'magazine', slug: 'ink-that-remembers' }, output: exampleItem },
  }),
  list: endpoint({
    binding: onLine('GET /api/items/{configId}'),
    summary: 'List items',
    permission: 'items.read',
    input: z.strictObject({
      ...onRepository,
      type: z.string().max(limits.name).optional().describe('Only items of this content type'),
      folderId: Id.optional().describe('Only items in this folder'),
      recursive: z.boolean().optional().describe('With `folderId`: also in the folders below it'),
      archived: z.boolean().optional().describe('Archived items too'),
      text: z.string().max(limits.search).optional().describe('Words that must all occur, each as a prefix'),
      ...listInput,
      ...pickInput,
    }),
    output: listOf(ReadItem),
    errors: ['not_found'],
    example: {
      input: { configId: 'magazine', type: 'article', filter: { 'fields.readingMinutes': { lte: 10 } }, sort: '-updatedDate', limit: 25 },
      output: { count: 1, items: [exampleItem] },
    },
  }),
  get: endpoint({
    binding: onLine('GET /api/items/{configId}/{id}'),
    summary: 'Read an item, or one of its versions',
    permission: 'items.read',
    input: z.strictObject({
      ...onItem,
      version: version.optional().describe('`latest` (default), `latestpublished` or a number (specification 3.3)'),
      at: UnixMs.optional().describe('The item as it was at this time, Unix milliseconds'),
      ...pickInput,
    }),
    output: ReadItem,
    errors: ['not_found'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  update: endpoint({
    binding: onLine('PATCH /api/items/{configId}/{id}'),
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
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'version_conflict', 'precondition_failed'],
    example: { input: { ...exampleItemPath, fields: { readingMinutes: 7 } }, output: exampleDraft },
  }),
  delete: endpoint({
    binding: onLine('DELETE /api/items/{configId}/{id}'),
    summary: 'Delete an item',
    description: 'Soft for 30 days: see undelete. Refused while an item refers to it through a `restrict` field.',
    permission: 'items.delete',
    input: z.strictObject({ ...onItem, dryRun }),
    output: z
      .object({
        deleted: Item,
        unset: z.array(z.object({ id: Id, path: z.string() })).describe('References that go with it'),
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'precondition_failed'],
    example: { input: exampleItemPath },
  }),
  undelete: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/undelete'),
    summary: 'Bring a deleted item back',
    permission: 'items.delete',
    input: z.strictObject(onItem),
    output: Item,
    errors: ['not_found', 'slug_taken', 'invalid_state'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  versions: endpoint({
    binding: onLine('GET /api/items/{configId}/{id}/versions'),
    summary: 'List the versions of an item, newest first',
    permission: 'items.read',
    input: z.strictObject({ ...onItem, limit: listInput.limit, cursor: listInput.cursor }),
    output: listOf(VersionInfo),
    errors: ['not_found'],
    example: {
      input: exampleItemPath,
      output: {
        count: 1,
        items: [
          {
            version: 1,
            name: exampleItem.name,
            slug: exampleItem.slug,
            updatedDate: exampleItem.createdDate,
            updatedByUser: exampleItem.createdByUser,
            isLatest: true,
            isLatestPublished: false,
          },
        ],
      },
    },
  }),
  restore: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/versions/{version}/restore'),
    summary: 'Make an old version the newest again',
    description: 'A new version with what the old one held.',
    permission: 'items.update',
    input: z.strictObject({ ...onItem, version: versionNumber.describe('The version to bring back') }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'precondition_failed'],
    example: { input: { ...exampleItemPath, version: 1 }, output: exampleDraft },
  }),
  diff: endpoint({
    binding: onLine('GET /api/items/{configId}/{id}/diff'),
    summary: 'Compare two versions, field by field',
    permission: 'items.read',
    input: z.strictObject({ ...onItem, from: version.describe('The older version'), to: version.optional().describe('Default: latest') }),
    output: z.object({ from: z.int(), to: z.int(), changes: z.array(FieldChange) }),
    errors: ['not_found'],
    example: {
      input: { ...exampleItemPath, from: '1' },
      output: { from: 1, to: 2, changes: [{ path: 'fields.readingMinutes', kind: 'changed', before: 5, after: 6 }] },
    },
  }),
  copy: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/copy'),
    summary: 'Copy an item, within its repository or to another',
    permission: 'items.read',
    input: z.strictObject({
      ...onItem,
      repositoryId: RepositoryRef.optional().describe('Where to; default: the same repository and line'),
      folderId: itemMembers.folderId.optional(),
      name: Name.optional(),
      slug: itemMembers.slug.optional(),
    }),
    output: Item,
    success: 201,
    errors: ['not_found', 'slug_taken', 'idempotency_mismatch'],
    example: { input: { ...exampleItemPath, name: 'Ink that forgets' }, output: { ...exampleDraft, name: 'Ink that forgets' } },
  }),
  move: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/move'),
    summary: 'Move an item to another folder',
    description: 'Within its repository and line; copy takes it to another.',
    permission: 'items.update',
    input: z.strictObject({
      ...onItem,
      folderId: itemMembers.folderId,
      name: Name.optional(),
      slug: itemMembers.slug.optional(),
    }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'precondition_failed'],
    example: { input: { ...exampleItemPath, folderId: null }, output: exampleDraft },
  }),
  publish: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/publish'),
    summary: 'Publish the head of an item',
    description: 'The head becomes the published version and serves on while newer drafts come.',
    permission: 'items.publish',
    input: z.strictObject({ ...onItem, dryRun }),
    output: Item,
    errors: ['not_found', 'not_publishable', 'invalid_state', 'precondition_failed'],
    example: { input: exampleItemPath, output: published },
  }),
  unpublish: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/unpublish'),
    summary: 'Take the published version back',
    permission: 'items.publish',
    input: z.strictObject({ ...onItem, dryRun }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  archive: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/archive'),
    summary: 'Hide an item from lists and published reads',
    permission: 'items.archive',
    input: z.strictObject(onItem),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed'],
    example: { input: exampleItemPath, output: { ...exampleItem, status: 'archived', isArchived: true } },
  }),
  unarchive: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/unarchive'),
    summary: 'Bring an archived item back into lists',
    permission: 'items.archive',
    input: z.strictObject(onItem),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  categorize: endpoint({
    binding: onLine('PUT /api/items/{configId}/{id}/categories/{categoryId}'),
    summary: 'Add a category to an item',
    permission: 'items.update',
    input: z.strictObject({ ...onItem, categoryId: Id }),
    output: Item,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { ...exampleItemPath, categoryId: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS' }, output: exampleDraft },
  }),
  decategorize: endpoint({
    binding: onLine('DELETE /api/items/{configId}/{id}/categories/{categoryId}'),
    summary: 'Remove a category from an item',
    permission: 'items.update',
    input: z.strictObject({ ...onItem, categoryId: Id }),
    output: Item,
    errors: ['not_found', 'precondition_failed'],
    example: { input: { ...exampleItemPath, categoryId: 'CATG_01JB2Q5M3T7Y9C1E4G6J8KNPRS' }, output: exampleDraft },
  }),
  validate: endpoint({
    binding: onLine('POST /api/items/{configId}/{id}/validate'),
    summary: 'What would stop a publish, field by field',
    permission: 'items.read',
    input: z.strictObject(onItem),
    output: z.object({ valid: z.boolean(), issues: z.array(IssueShape) }),
    errors: ['not_found'],
    example: {
      input: exampleItemPath,
      output: { valid: false, issues: [{ path: 'fields.body', message: 'is required' }] },
    },
  }),
  bulk: endpoint({
    binding: onLine('POST /api/items/{configId}/bulk'),
    summary: 'Do one thing to many items',
    description: 'Answers the outcome of each id. `atomic`: all or none, and the error of the first that fails.',
    permission: ['items.update', 'items.publish', 'items.archive', 'items.delete'],
    input: z.strictObject({
      ...onRepository,
      action: z
        .enum(['update', 'move', 'publish', 'unpublish', 'archive', 'unarchive', 'delete', 'undelete', 'categorize', 'decategorize'])
        .describe('The operation to do to each'),
      ids: z.array(Id).min(1).max(limits.bulkIds).describe('Item ids, at most 500'),
      atomic: z.boolean().default(false).describe('All or none'),
      input: z.record(z.string(), z.json()).default({}).describe('What the operation takes beside the id'),
      dryRun,
    }),
    output: z.object({
      succeeded: z.int(),
      failed: z.int(),
      outcomes: z.array(
        z.object({
          id: Id,
          ok: z.boolean(),
          item: Item.optional().describe('As it is now, when it was not deleted'),
          error: z.object({ code: z.string(), message: z.string(), issues: z.array(IssueShape).optional() }).optional(),
        }),
      ),
    }),
    errors: [
      'not_found',
      'slug_taken',
      'version_conflict',
      'not_publishable',
      'invalid_state',
      'referenced',
      'idempotency_mismatch',
    ],
    example: {
      input: { configId: 'magazine', action: 'publish', ids: [exampleItem.id] },
      output: { succeeded: 1, failed: 0, outcomes: [{ id: exampleItem.id, ok: true, item: exampleItem }] },
    },
  }),
}
