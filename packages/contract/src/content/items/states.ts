import { z } from 'zod'
import { Id, UnixMs } from '../../conventions.ts'
import { endpoint, onBranch } from '../../endpoint.ts'
import { limits } from '../../limits.ts'
import { exampleDraft, exampleItem, exampleItemPath } from './examples.ts'
import { comment, dryRun, onItem, onRepository, someLocales } from './inputs.ts'
import { DeleteImpact, IssueShape, Item } from './shapes.ts'

const later = UnixMs.nullable()
  .optional()
  .describe(
    'When to do it, in Unix milliseconds. An item has one scheduled time: a new one replaces it, null cancels it. Default: now',
  )

const locales = someLocales.describe(
  'Only in a repository with locales: the locales in which to do it. Default: all; in a package those in which main publishes the item when it is merged',
)

/** Operations that change the state of items but not their content, and the bulk operation. */
export const itemStates = {
  publish: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/publish'),
    summary: 'Publish the head of an item',
    description:
      'The head becomes the published version, and remains it while newer drafts are saved. With `at` ' +
      'the publish is scheduled and the unchanged item is returned: whatever is the head at that time is published, with the permissions ' +
      'that you have at that time.',
    permission: { key: 'items.publish', on: 'item', to: 'change', byLocale: true },
    input: z.strictObject({ ...onItem, at: later, locales, dryRun, comment }),
    output: Item,
    errors: ['not_found', 'not_publishable', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  unpublish: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/unpublish'),
    withoutRoom: true,
    summary: 'Unpublish an item',
    description: 'With `at` it is scheduled, as with publish.',
    permission: { key: 'items.publish', on: 'item', to: 'change', byLocale: true },
    input: z.strictObject({ ...onItem, at: later, locales, dryRun, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  archive: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/archive'),
    withoutRoom: true,
    summary: 'Hide an item from lists and published reads',
    permission: { key: 'items.archive', on: 'item', to: 'change' },
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: { ...exampleItem, status: 'archived', isArchived: true } },
  }),
  unarchive: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/unarchive'),
    summary: 'Unarchive an item, so that it is in lists again',
    permission: { key: 'items.archive', on: 'item', to: 'change' },
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'invalid_state', 'precondition_failed', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleItem },
  }),
  delete: endpoint({
    binding: onBranch('DELETE /api/items/{configId}/{id}'),
    summary: 'Delete an item',
    description:
      'The item can be undeleted for 30 days, or for as long as the settings say. Rejected while an item refers to it through a `restrict` field. `dryRun` returns the effect on ' +
      'the items that refer to it, and what would prevent the delete, as a normal response and not as an error.',
    permission: { key: 'items.delete', on: 'item', to: 'delete' },
    input: z.strictObject({ ...onItem, dryRun, comment }),
    output: z
      .object({
        deleted: Item,
        wouldFail: z
          .boolean()
          .describe('Whether a `restrict` field refers to it, possibly in an item that you may not see'),
        ...DeleteImpact.shape,
      })
      .optional(),
    success: 204,
    errors: ['not_found', 'referenced', 'precondition_failed'],
    example: { input: exampleItemPath },
  }),
  undelete: endpoint({
    binding: onBranch('POST /api/items/{configId}/{id}/undelete'),
    summary: 'Restore a deleted item',
    permission: { key: 'items.delete', on: 'item', to: 'undelete' },
    input: z.strictObject({ ...onItem, comment }),
    output: Item,
    errors: ['not_found', 'slug_taken', 'invalid_state', 'idempotency_mismatch'],
    example: { input: exampleItemPath, output: exampleDraft },
  }),
  bulk: endpoint({
    binding: onBranch('POST /api/items/{configId}/bulk'),
    withoutRoom: true,
    summary: 'Run one operation on many items',
    description:
      'Returns the outcome for each id. With `atomic` all of them succeed or none, and the response is the error of the first that fails.',
    permission: {
      key: ['items.update', 'items.publish', 'items.archive', 'items.delete'],
      on: 'each',
      byLocale: true,
    },
    input: z.strictObject({
      ...onRepository,
      action: z
        .enum([
          'update',
          'move',
          'publish',
          'unpublish',
          'archive',
          'unarchive',
          'delete',
          'undelete',
          'categorize',
          'decategorize',
        ])
        .describe('The operation to run on each item'),
      ids: z.array(Id).min(1).max(limits.bulkIds).describe('Item ids, at most 500'),
      atomic: z.boolean().default(false).describe('Whether all succeed or none'),
      input: z
        .record(z.string(), z.json())
        .default({})
        .describe('The input of the operation, without the id'),
      dryRun,
    }),
    output: z.object({
      succeeded: z.int(),
      failed: z.int(),
      outcomes: z.array(
        z.object({
          id: Id,
          ok: z.boolean(),
          item: Item.optional().describe('The item afterwards; absent if it was deleted'),
          impact: DeleteImpact.optional().describe('For `delete` with `dryRun`'),
          error: z
            .object({ code: z.string(), message: z.string(), issues: z.array(IssueShape).optional() })
            .optional(),
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
